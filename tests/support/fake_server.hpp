// A server for the values of the Redis module, without a server: memory that can run out or move,
// files in memory, types by their names. Commands need a real one.
#pragma once

#include "../../tools/redis-module/api.hpp"

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// A file in memory: what was saved, to be loaded in the same order. A value of another type than
/// the one asked for is an error, as in an RDB file.
struct fake_file {
    enum class type : std::uint8_t { number, real, bytes };
    struct value {
        type is;
        std::uint64_t number = 0;
        double real = 0;
        std::string bytes{};
    };
    std::vector<value> values{};
    std::size_t next = 0;
    bool broken = false;

    [[nodiscard]] redis_module::stream* as_stream() {
        return reinterpret_cast<redis_module::stream*>(this);
    }
    static fake_file& of(redis_module::stream* from) { return *reinterpret_cast<fake_file*>(from); }

    /// The next value, if it is of that type.
    const value* take(type wanted) {
        if (broken || next >= values.size() || values[next].is != wanted) {
            broken = true;
            return nullptr;
        }
        return &values[next++];
    }
};

/// What a digest was given, as bytes.
struct fake_digest {
    std::string bytes{};
    [[nodiscard]] redis_module::digest_state* as_digest() {
        return reinterpret_cast<redis_module::digest_state*>(this);
    }
};

/// Moves what it is given, and wants to stop after so many moves.
struct fake_defrag {
    std::size_t moves = 0;
    std::size_t stop_after = std::numeric_limits<std::size_t>::max();
    unsigned long cursor = 0;
    [[nodiscard]] redis_module::defrag_context* as_context() {
        return reinterpret_cast<redis_module::defrag_context*>(this);
    }
    static fake_defrag& of(redis_module::defrag_context* from) {
        return *reinterpret_cast<fake_defrag*>(from);
    }
};

/// Takes the place of a server as long as it lives; there is one at a time.
class fake_server {
public:
    fake_server() : before_(redis_module::server) {
        state() = {};
        take_memory();
        take_files();
        take_rest();
    }
    fake_server(const fake_server&) = delete;
    fake_server& operator=(const fake_server&) = delete;
    ~fake_server() { redis_module::server = before_; }

    /// Refuses all memory from the n-th allocation on, or all that is larger than a limit.
    static void refuse_from(std::size_t n) { state().allocations_left = n; }
    static void refuse_above(std::size_t bytes) { state().largest = bytes; }
    static void refuse_nothing() {
        state().allocations_left = std::numeric_limits<std::size_t>::max();
        state().largest = std::numeric_limits<std::size_t>::max();
    }
    /// Allocations that were not freed.
    [[nodiscard]] static std::int64_t in_use() { return state().in_use; }
    /// The methods of a type that was registered.
    [[nodiscard]] static const redis_module::type_methods& type(const std::string& name) {
        return state().types.at(name);
    }

private:
    struct everything {
        std::size_t allocations_left = std::numeric_limits<std::size_t>::max();
        std::size_t largest = std::numeric_limits<std::size_t>::max();
        std::int64_t in_use = 0;
        std::map<std::string, redis_module::type_methods> types{};
    };
    static everything& state() {
        static everything all;
        return all;
    }

    static void* try_alloc(std::size_t size) {
        everything& all = state();
        if (size > all.largest || all.allocations_left == 0) return nullptr;
        --all.allocations_left;
        void* const memory = std::malloc(size != 0 ? size : 1);
        if (memory == nullptr) return nullptr;
        // Memory that was never written to is what a server hands out.
        std::memset(memory, 0xa5, size);
        ++all.in_use;
        return memory;
    }

    static void take_memory() {
        auto& server = redis_module::server;
        server.try_alloc = try_alloc;
        server.free = [](void* memory) {
            if (memory == nullptr) return;
            --state().in_use;
            std::free(memory);
        };
        server.try_calloc = nullptr;
        server.defrag_alloc = [](redis_module::defrag_context* by, void* from) -> void* {
            fake_defrag& context = fake_defrag::of(by);
            if (context.moves >= context.stop_after) return nullptr;
            ++context.moves;
            // The size is not asked for elsewhere, so the system's own record of it will do.
            const std::size_t size = ::malloc_usable_size(from);
            void* const to = std::malloc(size);
            std::memcpy(to, from, size);
            std::free(from);
            return to;
        };
        server.defrag_should_stop = [](redis_module::defrag_context* by) {
            const fake_defrag& context = fake_defrag::of(by);
            return context.moves >= context.stop_after ? 1 : 0;
        };
        server.defrag_cursor_get = [](redis_module::defrag_context* by, unsigned long* to) {
            *to = fake_defrag::of(by).cursor;
            return redis_module::ok;
        };
        server.defrag_cursor_set = [](redis_module::defrag_context* by, unsigned long to) {
            fake_defrag::of(by).cursor = to;
            return redis_module::ok;
        };
    }

    static void take_files() {
        using type = fake_file::type;
        auto& server = redis_module::server;
        server.save_number = [](redis_module::stream* to, std::uint64_t value) {
            fake_file::of(to).values.push_back({.is = type::number, .number = value});
        };
        server.save_double = [](redis_module::stream* to, double value) {
            fake_file::of(to).values.push_back({.is = type::real, .real = value});
        };
        server.save_bytes = [](redis_module::stream* to, const char* data, std::size_t size) {
            fake_file::of(to).values.push_back({.is = type::bytes, .bytes = {data, size}});
        };
        server.load_number = [](redis_module::stream* from) {
            const auto* const found = fake_file::of(from).take(type::number);
            return found != nullptr ? found->number : 0;
        };
        server.load_double = [](redis_module::stream* from) {
            const auto* const found = fake_file::of(from).take(type::real);
            return found != nullptr ? found->real : 0;
        };
        server.load_bytes = [](redis_module::stream* from, std::size_t* size) -> char* {
            const auto* const found = fake_file::of(from).take(type::bytes);
            if (found == nullptr) return nullptr;
            auto* const data = static_cast<char*>(try_alloc(found->bytes.size()));
            if (data == nullptr) std::abort(); // as the server does
            std::memcpy(data, found->bytes.data(), found->bytes.size());
            *size = found->bytes.size();
            return data;
        };
        server.is_io_error = [](redis_module::stream* of) {
            return fake_file::of(of).broken ? 1 : 0;
        };
    }

    template <class Where>
    static void ignore(Where* /*in*/, const char* /*level*/, const char* /*format*/, ...) {}

    static void take_rest() {
        auto& server = redis_module::server;
        server.log = ignore<redis_module::context>;
        server.log_io_error = ignore<redis_module::stream>;
        server.digest_add_bytes = [](redis_module::digest_state* to, const char* data,
                                     std::size_t size) {
            reinterpret_cast<fake_digest*>(to)->bytes.append(data, size);
        };
        server.digest_add_number = [](redis_module::digest_state* to, long long value) {
            reinterpret_cast<fake_digest*>(to)->bytes.append(reinterpret_cast<const char*>(&value),
                                                             sizeof value);
        };
        server.digest_end_sequence = [](redis_module::digest_state*) {};
        // A text is a std::string here.
        server.bytes_of = [](const redis_module::text* of, std::size_t* size) {
            const auto& bytes = *reinterpret_cast<const std::string*>(of);
            *size = bytes.size();
            return bytes.data();
        };
        server.create_data_type = [](redis_module::context*, const char* name, int,
                                     redis_module::type_methods* methods) {
            auto& types = state().types;
            types[name] = *methods;
            return reinterpret_cast<redis_module::data_type*>(&types[name]);
        };
    }

    redis_module::server_functions before_;
};

/// Items for calls of values.
class fake_items {
public:
    explicit fake_items(std::vector<std::string> items) : items_(std::move(items)) {
        for (std::string& item : items_) {
            texts_.push_back(reinterpret_cast<redis_module::text*>(&item));
        }
    }
    fake_items(const fake_items&) = delete;
    fake_items& operator=(const fake_items&) = delete;
    [[nodiscard]] const std::vector<redis_module::text*>& texts() const { return texts_; }

private:
    std::vector<std::string> items_;
    std::vector<redis_module::text*> texts_;
};

} // namespace bloomery::testing
