// The implementation of a guard. Its functions are in several files.
#pragma once

#include <bloomery/detail/format/side_files.hpp>
#include <bloomery/detail/guard/core.hpp>

#include "cache_gate.hpp"
#include "flights.hpp"
#include "front.hpp"
#include "note.hpp"
#include "rate_watch.hpp"
#include "tallies.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

class guard_impl final : public guard_core {
public:
    guard_impl(std::unique_ptr<cache_handle> cache, std::unique_ptr<source_handle> source,
               filter_maker filters, guard_options options);
    ~guard_impl() override;

    std::optional<std::string> get(std::string_view key) override;               // get.cpp
    std::vector<std::optional<std::string>> get_many(store::keys keys) override; // get_many.cpp
    void put(std::string_view key, std::string_view value) override;             // write.cpp
    bool erase(std::string_view key) override;                                   // write.cpp
    void rebuild() override;                                                     // rebuild.cpp
    bool start_rebuild() override;                                               // background.cpp
    void catch_up() override;                                                    // rebuild.cpp
    void checkpoint() override;                                                  // file.cpp
    [[nodiscard]] guard_numbers numbers() const override;                        // watch.cpp

private:
    using clock = std::chrono::steady_clock;
    using answer = std::optional<std::string>;
    struct lookup; // one of the keys of a call: get_many.cpp

    // get.cpp
    [[nodiscard]] verdict ask(std::string_view key);
    answer refuse(std::string_view key);
    answer audit(std::string_view key);
    answer fetch(std::string_view key, bool filtered);
    answer travel(std::string_view key, const std::shared_ptr<flight>& trip, bool filtered);
    void count_found(bool found, bool filtered);
    /// Asks the source, and counts the time and the failures. If it is down, the error explains the
    /// consequence.
    template <class Ask>
    auto of_source(Ask ask) {
        const timed here(counts_, &counters::source_calls, &counters::source_ns);
        try {
            return ask();
        } catch (const store::outcome_unknown&) {
            counts_.add(&counters::source_failures);
            throw;
        } catch (const store::unavailable& e) {
            counts_.add(&counters::source_failures);
            throw store::unavailable(std::string("the source is down, so only keys that are "
                                                 "definitely absent can be answered: ")
                                         .append(e.what()));
        } catch (...) {
            counts_.add(&counters::source_failures);
            throw;
        }
    }
    void notice_damage();
    void let_go();
    void want_filter();
    void take_in(store::keys keys);

    // get_many.cpp
    void board(lookup one, std::vector<lookup>& leading, std::vector<lookup>& joining);
    void look_up_together(std::vector<lookup>& lookups, bool filtered);
    void await_all(const std::vector<lookup>& joining, std::vector<answer>& answers);
    void ask_cache(std::vector<lookup>& lookups, std::vector<lookup*>& unknown);
    void land_together(const std::vector<lookup*>& landing, bool filtered);

    // write.cpp
    [[nodiscard]] bool put_in_source(std::string_view key, std::string_view value);
    void forget_in_cache(std::string_view key);
    void remember_uncertain(std::string_view key);
    void forget_certain();
    [[nodiscard]] bool is_settled(std::string_view key);

    // rebuild.cpp
    void rebuild_now();
    std::pair<any_filter, std::uint64_t> scanned_filter(const std::optional<std::string>& since,
                                                        std::optional<std::string>& mark);
    void insert_uncertain(any_filter& into);
    std::uint64_t insert_kept(any_filter& into);
    void step(guard_step which) const;

    // background.cpp
    void work();
    void request_rebuild();
    void stop();

    // file.cpp
    void open();
    [[nodiscard]] bool adopt();
    [[nodiscard]] std::optional<std::vector<any_filter>> open_layers(const guard_note& note) const;
    [[nodiscard]] bool is_ours(const any_filter& one) const;
    [[nodiscard]] bool bring_up_to_date(const guard_note& note, std::vector<any_filter>& layers);
    [[nodiscard]] any_filter made(items n, rate p, const std::filesystem::path& at) const;
    [[nodiscard]] std::filesystem::path layer_file(std::uint64_t layer) const;
    [[nodiscard]] std::filesystem::path beside(std::string_view ending) const;
    void remove_next() const;
    void take_place();
    [[nodiscard]] std::optional<std::string> mark_now();
    void save_all();
    void note_now(std::optional<std::string> mark, bool closed);
    void forget_note() const;
    void close();

    // watch.cpp
    void watch_growth();
    void look_at_growth();
    [[nodiscard]] rate rate_of_layer(std::uint64_t layer) const;
    void grow();
    void watch_rate();
    void watch_fill();
    void raise(alarm_kind kind, std::string sentence);

    const guard_options how_;
    const filter_maker filters_;
    const std::unique_ptr<source_handle> source_;
    tallies counts_;
    front front_;
    flights flights_;
    cache_gate cache_;
    rate_watch rate_watch_;
    std::array<std::atomic<std::uint64_t>, alarm_kinds> alarms_{};

    std::mutex making_; ///< one filter, or one layer, is built at a time
    std::atomic<std::uint64_t> rebuilds_ = 0;
    std::atomic<std::uint64_t> failed_rebuilds_ = 0;
    std::atomic<std::uint64_t> scanned_ = 0;
    std::atomic<std::uint64_t> created_ = 0; ///< keys, since the filter was made
    std::atomic<std::uint64_t> look_at_ = 0; ///< at this count, check the growth again
    std::atomic<bool> is_overfull_ = false;  ///< the alarm was raised

    // Keys of puts with an unknown outcome: the source may get them after a scan has passed, or
    // after it has answered that it has none.
    std::mutex uncertain_mutex_;
    std::unordered_map<std::string, clock::time_point> uncertain_;
    std::atomic<clock::rep> uncertain_until_ = clock::time_point::min().time_since_epoch().count();

    format::file_lock lock_file_;
    std::mutex noting_;
    guard_note note_{};                 ///< as it was written last
    std::optional<std::string> mark_{}; ///< the filter has everything up to here, on disk or not

    std::thread worker_;
    mutable std::mutex worker_mutex_;
    std::condition_variable wake_;
    bool wanted_ = false;
    std::atomic<bool> rebuilding_ = false;
    std::atomic<bool> stopping_ = false;
    std::optional<clock::time_point> last_request_{};
};

} // namespace bloomery::inline v0::detail
