// Filters as files and as bytes, in every format.
#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/native.hpp>

#include "handle.hpp"

#include <functional>
#include <utility>

namespace bloomery::inline v0::c {

namespace {

/// How a filter is written.
struct writing {
    format::format_choice format{};
    format::encode_options native{};
    if_exists policy = if_exists::replace;

    explicit writing(const bloomery_write_options* options) {
        const bloomery_write_options said = taken_or_usual(options);
        if (const auto name = text_in(said.format)) format = format::parse_format(*name);
        native = {text_in(said.comment).value_or(std::string_view{}), said.keep_secret};
        policy = said.refuse_existing ? if_exists::refuse : if_exists::replace;
        if (format.foreign != nullptr && (said.comment != nullptr || said.keep_secret)) {
            throw bad_argument("formats of other systems store no comment and no secret");
        }
    }

    void encode(const any_filter& source, const format::byte_consumer& write) const {
        if (format.foreign == nullptr) {
            return format::encode_native(source, write, native);
        }
        if (format.foreign->encode == nullptr) {
            throw unsupported("the format " + std::string(format.foreign->name) +
                              " can be read but not written");
        }
        format.foreign->encode(source, write, format.parameters);
    }
};

/// How a filter is read.
struct reading {
    format::format_choice format{};
    format::decode_options native{};
    if_locked locked = if_locked::wait;

    explicit reading(const bloomery_read_options* options) {
        const bloomery_read_options said = taken_or_usual(options);
        if (const auto name = text_in(said.format)) format = format::parse_format(*name);
        native.secret = secret_in(said.secret);
        native.policy = said.refuse_unsealed ? after_crash::refuse : after_crash::recover;
        locked = said.refuse_locked ? if_locked::refuse : if_locked::wait;
        format::limits& most = native.limits = format.parameters.limits;
        if (said.largest_filter_bytes != 0) most.largest_filter_bytes = said.largest_filter_bytes;
        if (said.most_unseen_bytes != 0) most.most_unseen_bytes = said.most_unseen_bytes;
        if (said.most_hashes != 0) most.most_hashes = said.most_hashes;
        if (said.most_layers != 0) most.most_layers = said.most_layers;
        format.parameters.limits = most;
    }

    /// The format that was named or that the bytes identify; nullptr for native.
    [[nodiscard]] const format::foreign_format* of(byte_view bytes) const {
        if (format.said) return format.foreign;
        return format::looks_native(bytes) ? nullptr : &format::detect_one(bytes);
    }
    [[nodiscard]] any_filter decode(byte_view bytes) const {
        const format::foreign_format* const foreign = of(bytes);
        return foreign == nullptr ? format::decode_native(bytes, native)
                                  : foreign->decode(bytes, format.parameters);
    }
    /// The same for a file, of which only the magic number is read if that is enough.
    [[nodiscard]] const format::foreign_format* of_file(const std::string& path) const {
        constexpr std::size_t mark_bytes = 8;
        if (format.said) return format.foreign;
        if (format::looks_native(read_start(path, mark_bytes))) return nullptr;
        return &format::detect_one(read_whole(path, native.limits));
    }
};

byte_view given_bytes(const void* bytes, std::size_t size) {
    if (bytes == nullptr && size != 0) {
        refuse_null("the bytes");
    }
    return {static_cast<const std::byte*>(bytes), size};
}

std::string returned_by_updater(bloomery_status status) {
    return "the updater returned " + std::to_string(static_cast<std::uint32_t>(status)) + " (" +
           bloomery_status_name(status) + ")";
}

std::string path_in(const char* path) { return &required(path, "the path"); }

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;
using c::reading;
using c::writing;

bloomery_status bloomery_save(const bloomery_filter* filter, const char* path,
                              const bloomery_write_options* options) {
    return c::guarded([&] {
        const any_filter& source = c::filter_in(filter);
        const writing how(options);
        if (how.format.foreign == nullptr) {
            return save(source, c::path_in(path), how.policy, how.native);
        }
        save(source, c::path_in(path), *how.format.foreign, how.format.parameters, how.policy);
    });
}

bloomery_status bloomery_load(const char* path, const bloomery_read_options* options,
                              bloomery_filter** loaded) {
    return c::made_by(loaded, [&] {
        const reading how(options);
        const std::string name = c::path_in(path);
        const format::foreign_format* const foreign = how.of_file(name);
        return foreign == nullptr ? load(name, how.native)
                                  : load(name, *foreign, how.format.parameters);
    });
}

bloomery_status bloomery_map(const char* path, bool writable, const bloomery_read_options* options,
                             bloomery_filter** mapped) {
    return c::made_by(mapped, [&] {
        const reading how(options);
        if (how.format.foreign != nullptr) {
            throw unsupported("only native files can be mapped; load the others");
        }
        return map(c::path_in(path), writable ? map_mode::read_write : map_mode::read_only,
                   {how.native, how.locked, {}});
    });
}

bloomery_status bloomery_sync(bloomery_filter* filter) {
    return c::guarded([&] { c::filter_in(filter).sync(); });
}

bloomery_status bloomery_update(const char* path, bloomery_updater update, void* context,
                                const bloomery_read_options* options) {
    return c::guarded([&] {
        if (update == nullptr) {
            c::refuse_null("the updater");
        }
        const reading how(options);
        const std::string name = c::path_in(path);
        const auto lend = [&](any_filter& loaded) {
            bloomery_filter lent(std::move(loaded));
            const std::uint64_t failures = c::failure_count();
            const bloomery_status said = update(&lent, context);
            const bool explained = c::failure_count() != failures && bloomery_last_status() == said;
            if (lent.value.use_count() > 1) { // they would be left without bits
                throw bad_argument("the updater left shared handles open; it must close them");
            }
            loaded = std::move(*lent.value);
            if (said != BLOOMERY_OK) {
                throw c::stopped{said, explained ? "" : c::returned_by_updater(said)};
            }
        };
        const format::foreign_format* const foreign = how.of_file(name);
        foreign == nullptr ? bloomery::update(name, lend, how.native)
                           : bloomery::update(name, *foreign, lend, how.format.parameters);
    });
}

bloomery_status bloomery_encode(const bloomery_filter* filter,
                                const bloomery_write_options* options, uint8_t** bytes,
                                uint64_t* size) {
    return c::guarded([&] {
        uint8_t*& to = c::required(bytes, "the output parameter for the bytes");
        uint64_t& length = c::required(size, "the output parameter for their number");
        to = nullptr;
        length = 0;
        std::string all;
        writing(options).encode(c::filter_in(filter), [&](byte_view part) {
            all.append(reinterpret_cast<const char*>(part.data()), part.size()); // NOLINT
        });
        to = reinterpret_cast<uint8_t*>(c::copied_out(all)); // NOLINT: bytes both
        length = all.size();
    });
}

bloomery_status bloomery_encoded_size(const bloomery_filter* filter,
                                      const bloomery_write_options* options, uint64_t* size) {
    return c::guarded([&] {
        uint64_t& to = c::required(size, "the output parameter for the size");
        to = 0;
        const any_filter& source = c::filter_in(filter);
        const writing how(options);
        if (how.format.foreign == nullptr) {
            to = format::header_of(source, how.native).file_bytes();
            return;
        }
        uint64_t total = 0;
        how.encode(source, [&](byte_view part) { total += part.size(); });
        to = total;
    });
}

bloomery_status bloomery_encode_to(const bloomery_filter* filter,
                                   const bloomery_write_options* options, bloomery_writer write,
                                   void* context) {
    return c::guarded([&] {
        if (write == nullptr) {
            c::refuse_null("the writer");
        }
        writing(options).encode(c::filter_in(filter), [&](byte_view part) {
            if (write(reinterpret_cast<const uint8_t*>(part.data()), part.size(), context) != 0) {
                throw c::stopped{};
            }
        });
    });
}

bloomery_status bloomery_decode(const void* bytes, size_t size,
                                const bloomery_read_options* options, bloomery_filter** decoded) {
    return c::made_by(decoded,
                      [&] { return reading(options).decode(c::given_bytes(bytes, size)); });
}

bloomery_status bloomery_detect(const void* bytes, size_t size, const char** format) {
    return c::guarded([&] {
        const char*& to = c::required(format, "the output parameter for the name");
        to = nullptr;
        const format::foreign_format* const found =
            reading(nullptr).of(c::given_bytes(bytes, size));
        to = found == nullptr ? "native" : found->name.data();
    });
}

const char* bloomery_format_name(uint32_t at) {
    const auto others = format::foreign_formats();
    if (at == 0) {
        return "native";
    }
    return at <= others.size() ? others[at - 1]->name.data() : nullptr;
}

bloomery_status bloomery_format_named(const char* name, bloomery_format* format) {
    return c::guarded([&] {
        const std::string_view wanted = &c::required(name, "the name");
        bloomery_format told{};
        if (wanted == "native") {
            told.name = "native";
            told.what = "bloomery's own";
            told.keys = "bytes";
            told.needs = "";
            told.writable = told.makeable = true;
        } else {
            const format::foreign_format& one = format::foreign_format_named(wanted);
            told.name = one.name.data();
            told.what = one.what.data();
            told.keys = one.keys.data();
            told.needs = one.needs.empty() ? "" : one.needs.data();
            told.writable = one.encode != nullptr;
            told.makeable = one.create != nullptr;
        }
        c::give(format, told, "the output parameter for the format");
    });
}
