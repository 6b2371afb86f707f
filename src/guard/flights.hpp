// Who is at which key just now, and which keys are known to be absent though the filter claims
// them.
//
// The three belong together. A key may be listed as absent, or its value put into the cache, only
// if nothing was written to it between the question to the source and now. And of those who ask for
// a key at the same time one goes to the source, the others wait for its answer.
#pragma once

#include <bloomery/filter/exception_list.hpp>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bloomery::detail {

/// One trip to the stores for one key.
struct flight {
    bool landed = false;
    bool overtaken = false; ///< the key was written to meanwhile: what it found may be old
    std::optional<std::string> value{};
    std::exception_ptr failure{};
};

/// See above. Any number of threads.
class flights {
public:
    enum class seat : std::uint8_t {
        excepted, ///< the key is known to be absent
        joined,   ///< another thread is on its way: wait for it
        leads,    ///< go, then land
    };
    struct boarding {
        seat is;
        std::shared_ptr<flight> trip{};
    };

    explicit flights(std::uint64_t most_exceptions);

    [[nodiscard]] boarding board(std::string_view key);
    /// Of one who has joined. Throws what the trip failed with.
    [[nodiscard]] std::optional<std::string> wait(std::string_view key, const flight& trip);

    /// What a trip has found.
    struct finding {
        std::optional<std::string> value;
        bool absence; ///< the filter errs on the key: list it, if nobody has written it
        bool fills;   ///< the cache is to be told
    };
    /// True: the cache may be told, and a `filling` is to be there meanwhile: writers of the key
    /// wait for its end.
    bool land(std::string_view key, const std::shared_ptr<flight>& trip, finding found);
    void crash(std::string_view key, const std::shared_ptr<flight>& trip,
               std::exception_ptr failure);
    class filling {
    public:
        filling(flights& among, std::string_view key) noexcept : among_(among), key_(key) {}
        filling(const filling&) = delete;
        filling& operator=(const filling&) = delete;
        ~filling() { among_.filled(key_); }

    private:
        flights& among_;
        std::string_view key_;
    };
    void filled(std::string_view key);

    /// A write under way.
    struct writing {
        std::uint64_t number; ///< of the writes of this key
        bool alone;           ///< no other was under way when it began
    };
    /// The key is about to change: nothing found from now on until end_write is kept.
    [[nodiscard]] writing begin_write(std::string_view key);
    /// Returns when nobody is filling the cache with what the key was before.
    void await_fills(std::string_view key);
    /// With `absence`, the source has lost the key and the filter has not: it is listed, unless
    /// somebody else has written it meanwhile.
    void end_write(std::string_view key, const writing& one, bool absence) noexcept;

    /// The source has the key, as a scan shows: it is not listed any more.
    void contradict(std::string_view key);

    [[nodiscard]] std::uint64_t exception_count() const;

private:
    static constexpr std::size_t stripe_count = 64;

    struct traffic {
        std::uint32_t writers = 0;
        std::uint32_t fills = 0;
        std::uint64_t writes = 0; ///< so far, as long as this is kept
        std::shared_ptr<flight> latest{};
    };
    struct text_hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept;
        hash::sip_key secret;
    };
    using traffic_map = std::unordered_map<std::string, traffic, text_hash, std::equal_to<>>;

    struct alignas(64) stripe {
        explicit stripe(const exception_options& options, const text_hash& hash)
            : listed(options), keys(8, hash) {}
        mutable std::mutex mutex;
        std::condition_variable changed;
        exception_list listed;
        traffic_map keys;
    };

    [[nodiscard]] stripe& of(std::string_view key) const;
    static void tidy(stripe& in, traffic_map::iterator at);
    [[nodiscard]] static traffic_map::iterator find(stripe& in, std::string_view key);
    static void settle(stripe& in, traffic_map::iterator at, const std::shared_ptr<flight>& trip);

    text_hash hash_;
    std::array<std::unique_ptr<stripe>, stripe_count> stripes_;
};

} // namespace bloomery::detail
