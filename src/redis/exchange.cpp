#include "exchange.hpp"

#include <bloomery/detail/plan/text.hpp>
#include <bloomery/redis/client.hpp>

#include "cluster.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

using std::chrono::milliseconds;

/// A request that has no answer yet.
struct open_request {
    std::size_t at = 0;              ///< which of the caller's
    std::optional<endpoint> asked{}; ///< where ASK redirected this one
};

/// The requests for one server in one attempt.
struct parcel {
    std::vector<open_request> requests;
    std::vector<std::uint64_t> begins; ///< the offset of each in the bytes sent
    std::optional<pool::shelf::lease> by{};
    std::optional<request> wait{}; ///< follows them, if replicas are waited for
};

/// One call of exchange.
class attempt_series {
public:
    attempt_series(servers& with, std::span<const request> all, unsigned replicas)
        : with_(with), all_(all), replicas_(replicas), answers_(all.size()),
          deadline_(clock::now() + with.how().patience) {
        open_.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) open_.push_back({i});
    }

    std::vector<answer> run() && {
        for (milliseconds pause{20}; !open_.empty();) {
            attempt();
            if (open_.empty()) break;
            if (clock::now() >= deadline_) {
                give_up();
                break;
            }
            if (must_refresh_) with_.refresh(deadline_);
            if (must_pause_) {
                std::this_thread::sleep_for(pause);
                pause = std::min(2 * pause, milliseconds{500});
            }
        }
        return std::move(answers_);
    }

private:
    void attempt() {
        must_refresh_ = false;
        must_pause_ = ++attempts_ > attempts_without_pause;
        std::map<endpoint, parcel> parcels;
        for (open_request& each : std::exchange(open_, {})) {
            const auto server = each.asked ? each.asked : with_.server_for(all_[each.at].slot());
            if (server) {
                parcels[*server].requests.push_back(std::move(each));
            } else {
                try_later(each, "no server of the cluster has the slot of the key");
            }
        }
        std::vector<connection*> lent;
        for (auto& [server, each] : parcels) {
            if (pack(server, each)) lent.push_back(&**each.by);
        }
        round_trip(lent, with_.how().answer_timeout);
        for (auto& [server, each] : parcels) {
            if (each.by) unpack(each);
        }
    }

    bool pack(const endpoint& server, parcel& to) {
        try {
            to.by.emplace(with_.connections().take(server, deadline_));
        } catch (const unreachable& e) {
            for (const open_request& each : to.requests) try_later(each, e.what());
            return false;
        } catch (const refused& e) { // a wrong password stays wrong
            for (const open_request& each : to.requests) answers_[each.at].failure = e.what();
            return false;
        }
        connection& by = **to.by;
        by.begin();
        for (const open_request& each : to.requests) {
            if (each.asked) by.queue("*1\r\n$6\r\nASKING\r\n");
            to.begins.push_back(by.queued());
            by.queue(all_[each.at].bytes());
            if (replicas_ > 0 && all_[each.at].is_write() && !to.wait) {
                // Less than our own timeout, so that the server reports it first.
                const auto most = with_.how().answer_timeout.count() * 3 / 4;
                to.wait = request(3).add("WAIT").add(replicas_).add(most);
            }
        }
        if (to.wait) by.queue(to.wait->bytes());
        return true;
    }

    void unpack(parcel& of) {
        connection& by = **of.by;
        std::vector<reply>& got = by.replies();
        std::size_t next = 0;
        const bool copied = !of.wait || (by.done() && !got.back().is_error() &&
                                         got.back().integer >= std::int64_t{replicas_});
        for (std::size_t i = 0; i < of.requests.size(); ++i) {
            const open_request& each = of.requests[i];
            if (each.asked) ++next; // the answer to ASKING
            if (next >= got.size()) {
                lost(each, by.sent() > of.begins[i], by.failure());
                continue;
            }
            reply& told = got[next++];
            if (told.is_error() && redirected(each, told, by.where())) continue;
            answer& mine = answers_[each.at];
            if (all_[each.at].is_write() && !copied && !told.is_error()) {
                mine.repeated = true;
                try_later(each, by.failure().empty()
                                    ? "fewer than " + plan::counted(replicas_, "replica") +
                                          " of Redis at " + by.where().text() + " have it"
                                    : by.failure());
                continue;
            }
            mine.arrived = true;
            mine.failure.clear();
            mine.reply = std::move(told);
        }
        if (!by.failure().empty()) must_refresh_ = true;
    }

    /// Whether the error was a redirection or a request to retry.
    bool redirected(const open_request& each, const reply& told, const endpoint& by) {
        const redirection to = redirection_of(told.text, by);
        if (to.what == redirection::kind::none) return false;
        if (to.what == redirection::kind::later) {
            // Without a cluster, this is a master that is starting (LOADING), or a replica.
            if (!with_.how().cluster && !told.text.starts_with("LOADING")) return false;
            try_later(each, "Redis at " + by.text() + " says " + told.text);
            return true;
        }
        if (!with_.how().cluster) return false;
        if (to.what == redirection::kind::ask) {
            open_.push_back({each.at, to.to});
        } else {
            with_.move(to.slot, to.to);
            must_refresh_ = true;
            open_.push_back({each.at});
        }
        return true;
    }

    void lost(const open_request& each, bool was_sent, const std::string& why) {
        if (was_sent && all_[each.at].is_only_once()) {
            answers_[each.at].failure = why + "; it is unknown whether the request was carried "
                                              "out";
            return;
        }
        if (was_sent) answers_[each.at].repeated = true;
        try_later(each, why);
    }

    void try_later(const open_request& each, const std::string& why) {
        answers_[each.at].failure = why;
        open_.push_back({each.at});
        must_refresh_ = must_pause_ = true;
    }

    void give_up() {
        for (const open_request& each : open_) {
            answer& mine = answers_[each.at];
            if (mine.failure.empty()) {
                mine.failure = "the slots of the cluster kept moving";
            }
        }
        open_.clear();
    }

    /// Redirections are followed at once while slots move; but two servers that redirect to each
    /// other must not cause a busy loop.
    static constexpr int attempts_without_pause = 20;

    servers& with_;
    std::span<const request> all_;
    unsigned replicas_;
    std::vector<answer> answers_;
    clock::time_point deadline_;
    std::vector<open_request> open_;
    int attempts_ = 0;
    bool must_refresh_ = false;
    bool must_pause_ = false;
};

} // namespace

std::vector<answer> exchange(servers& with, std::span<const request> all, unsigned replicas) {
    return attempt_series(with, all, replicas).run();
}

void require_no_error(const reply& of) {
    if (!of.is_error()) return;
    const bool elsewhere = of.text.starts_with("MOVED ") || of.text.starts_with("ASK ");
    throw refused(
        "Redis refuses: " + of.text +
        (elsewhere ? " (the server is part of a cluster: connect to it as a cluster)" : ""));
}

} // namespace bloomery::inline v0::redis
