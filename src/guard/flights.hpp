// Which keys are being read or written now, and which keys are known to be absent although the
// filter claims them.
//
// These belong together. A key may be listed as absent, or its value put into the cache, only if it
// was not written between the query to the source and now. And if several threads request a key at
// the same time, one goes to the source and the others wait for its answer.
#pragma once

#include <bloomery/detail/filter/exception_list.hpp>

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

namespace bloomery::inline v0::detail {

/// One round trip to the stores for one key.
struct flight {
    bool landed = false;
    bool overtaken = false; ///< the key was written meanwhile: the value found may be old
    std::optional<std::string> value{};
    std::exception_ptr failure{};
};

/// See above. Any number of threads.
class flights {
public:
    enum class seat : std::uint8_t {
        excepted, ///< the key is known to be absent
        joined,   ///< another thread is asking: wait for it
        leads,    ///< ask the stores, then call land
    };
    struct boarding {
        seat is;
        std::shared_ptr<flight> trip{};
    };

    explicit flights(std::uint64_t most_exceptions);

    [[nodiscard]] boarding board(std::string_view key);
    /// For a thread that joined. Throws the error of the round trip.
    [[nodiscard]] std::optional<std::string> wait(std::string_view key, const flight& trip);

    /// The result of a round trip.
    struct finding {
        std::optional<std::string> value;
        bool absence; ///< a false positive: list it, unless it was written meanwhile
        bool fills;   ///< put it into the cache
    };
    /// True: the value may go into the cache; hold a `filling` meanwhile, for which writers of the
    /// key wait.
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

    /// A write in progress.
    struct writing {
        std::uint64_t number; ///< of the writes of this key
        bool alone;           ///< no other was in progress when it began
    };
    /// The key is about to change: until end_write, nothing that is found is kept.
    [[nodiscard]] writing begin_write(std::string_view key);
    /// Returns when no thread is filling the cache with an older value of the key.
    void await_fills(std::string_view key);
    /// With `absence`, the key was removed from the source but not from the filter: it is listed,
    /// unless another thread has written it meanwhile.
    void end_write(std::string_view key, const writing& one, bool absence) noexcept;

    /// A scan has found the key in the source: it is no longer listed.
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
    struct key_hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept;
        hash::sip_key secret;
    };
    using traffic_map = std::unordered_map<std::string, traffic, key_hash, std::equal_to<>>;

    struct alignas(64) stripe {
        explicit stripe(const exception_options& options, const key_hash& hash)
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

    key_hash hash_;
    std::array<std::unique_ptr<stripe>, stripe_count> stripes_;
};

} // namespace bloomery::inline v0::detail
