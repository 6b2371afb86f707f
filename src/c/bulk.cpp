#include <bloomery/filter/any_filter.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "keys.hpp"

#include <limits>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0::c {

namespace {

/// The output of a bulk call: a bitmap of the caller, and the number of its ones.
class answers {
public:
    answers(std::uint8_t* bits, std::uint64_t* count) noexcept : bits_(bits), count_(count) {
        give_count(0);
    }

    /// Sets all bits to the same value, in case the call fails.
    void fill(std::uint64_t count, bool value) noexcept {
        if (bits_ != nullptr) {
            std::memset(bits_, value ? 0xff : 0, (count + 7) / 8);
            if (value && count % 8 != 0) {
                bits_[count / 8] = static_cast<std::uint8_t>((1U << count % 8) - 1);
            }
        }
        give_count(value ? count : 0);
    }

    /// The answers of a run: one bit per key in it, or per key at its start. A second time for the
    /// same run, they are added to the first.
    void put(const run_place& place, const bitmap& of) noexcept {
        if (count_ != nullptr) {
            *count_ = total_ += of.count();
        }
        if (bits_ != nullptr) {
            put_bits(place, of);
        }
    }

private:
    void put_bits(const run_place& place, const bitmap& of) noexcept {
        std::uint8_t* const to = bits_ + place.first / 8;
        const std::size_t size = (place.count + 7) / 8;
        const bool again = std::exchange(next_, place.first + place.count) > place.first;
        if (place.valid == nullptr && !again && of.bit_count() == place.count &&
            std::endian::native == std::endian::little) {
            std::memcpy(to, of.words().data(), size);
            return;
        }
        std::size_t next = 0;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (i % 8 == 0 && place.valid != nullptr) {
                word = spread(place.valid[i / 8], of, next);
            } else if (i % 8 == 0) {
                word = i / 8 < of.words().size() ? of.words()[i / 8] : 0;
            }
            const std::uint64_t before = again ? to[i] : 0;
            to[i] = static_cast<std::uint8_t>(word >> 8 * (i % 8) | before);
        }
    }
    /// Stores the next answers, each at the position of its key.
    static std::uint64_t spread(std::uint64_t valid, const bitmap& of, std::size_t& next) noexcept {
        std::uint64_t word = 0;
        for (std::uint64_t left = valid; left != 0; left &= left - 1, ++next) {
            word |= next < of.bit_count() && of[next] ? left & -left : 0;
        }
        return word;
    }
    void give_count(std::uint64_t now) noexcept {
        if (count_ != nullptr) {
            *count_ = now;
        }
    }

    std::uint8_t* bits_;
    std::uint64_t* count_;
    std::uint64_t total_ = 0;
    std::uint64_t next_ = 0; ///< the first key without an answer
};

/// The number of answers for which the caller has room; 0 if the structure does not say.
std::uint64_t answer_count(const bloomery_keys* keys) noexcept {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() / 8; // see key_reader
    const bool known = keys != nullptr && keys->struct_size >= sizeof *keys && keys->count <= most;
    return known ? keys->count : 0;
}

/// The first key of a run that has no place in the filter; its size if there is none.
template <class Run>
std::size_t first_without_place(const any_filter& of, const Run& run) {
    std::size_t i = 0;
    try {
        for (; i < run.size() && of.may_lack_places(); ++i) {
            of.require_place(run[i]);
        }
        return run.size();
    } catch (const no_place&) {
        return i;
    }
}

/// The first key of a run that the filter denies; its size if there is none.
template <class Run>
std::size_t first_denied(const any_filter& of, const Run& run) {
    std::size_t i = 0;
    while (i < run.size() && of.may_contain(run[i])) {
        ++i;
    }
    return i;
}

/// Calls `act(run)`, and notes the key at which it throws, if it does.
template <class Run, class Act>
void noting_key(const any_filter& of, const Run& run, const run_place& place, Act act) {
    try {
        act(run);
    } catch (const no_place&) {
        note_key(place.index_of(first_without_place(of, run)));
        throw;
    } catch (const filter_full&) { // the keys before it are in, and this one is not
        note_key(place.index_of(first_denied(of, run)));
        throw;
    } catch (...) {
        note_key(place.first);
        throw;
    }
}

/// The same for inserts: the keys before one that has no place are in afterwards. Filters may hash
/// several keys before they insert the first, so the keys are checked in advance.
template <class Run, class Act>
void inserting_run(const any_filter& of, const Run& run, const run_place& place, Act act) {
    const std::size_t fit = first_without_place(of, run);
    noting_key(of, run.first(fit), place, act);
    if (fit < run.size()) {
        note_key(place.index_of(fit));
        of.require_place(run[fit]);
    }
}

/// Stores one value per key in an array of the caller; zero for excluded keys.
template <class Value, class Of>
void put_values(const run_place& place, Value* to, Of of) {
    to += place.first;
    if (place.valid != nullptr) {
        std::fill_n(to, place.count, Value{});
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < place.count; ++i) {
        if (place.has(i)) {
            to[i] = of(next++);
        }
    }
}

/// Calls `visit(filter, keys, place)` for all runs in order. The filter that most handles hold
/// takes texts by offsets as they are, without an array of views between.
template <class Handle, class Visit>
void each_run(Handle* handle, key_reader& from, Visit visit) {
    if (auto* const plain = required(handle, "the filter").plain) {
        const auto with_plain = [&](const auto& run, const run_place& place) {
            visit(*plain, run, place);
        };
        if (from.each_run_of_offsets(with_plain)) {
            return;
        }
    }
    from.adapt_to(*handle->value);
    with_keys_of(handle, [&](auto& of) {
        from.each_run([&](auto run, const run_place& place) {
            const auto act = [&](const auto& some) { visit(of, some, place); };
            if constexpr (std::is_const_v<Handle>) {
                noting_key(*handle->value, run, place, act);
            } else {
                inserting_run(*handle->value, run, place, act);
            }
        });
    });
}

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;
using c::filter_in;
using c::guarded;
using c::key_reader;
using c::run_place;

bloomery_status bloomery_insert_many(bloomery_filter* filter, const bloomery_keys* keys) {
    return guarded([&] {
        key_reader from(keys);
        c::each_run(filter, from,
                    [](auto& into, const auto& run, const run_place&) { into.insert_many(run); });
    });
}

bloomery_status bloomery_try_insert_many(bloomery_filter* filter, const bloomery_keys* keys,
                                         std::uint8_t* fresh, std::uint64_t* fresh_count) {
    return guarded([&] {
        c::answers told(fresh, fresh_count);
        told.fill(c::answer_count(keys), false);
        key_reader from(keys);
        bitmap bits;
        c::each_run(filter, from, [&](auto& into, const auto& run, const run_place& place) {
            try {
                into.try_insert_many(run, bits);
            } catch (...) {
                if (bits.bit_count() == run.size()) { // the answers before it failed
                    told.put(place, bits);
                }
                throw;
            }
            told.put(place, bits);
        });
    });
}

bloomery_status bloomery_may_contain_many(const bloomery_filter* filter, const bloomery_keys* keys,
                                          std::uint8_t* maybe, std::uint64_t* maybe_count) {
    return guarded([&] {
        c::answers told(maybe, maybe_count);
        try {
            key_reader from(keys);
            bitmap bits;
            c::each_run(filter, from, [&](auto& asked, const auto& run, const run_place& place) {
                asked.may_contain_many(run, bits);
                told.put(place, bits);
            });
        } catch (...) {
            told.fill(c::answer_count(keys), true);
            throw;
        }
    });
}

bloomery_status bloomery_erase_many(bloomery_filter* filter, const bloomery_keys* keys,
                                    std::uint8_t* erased, std::uint64_t* erased_count) {
    return guarded([&] {
        c::answers told(erased, erased_count);
        told.fill(c::answer_count(keys), false);
        any_filter& from = filter_in(filter);
        key_reader all(keys);
        bitmap bits;
        all.each_run([&](auto run, const run_place& place) {
            bits.reset(run.size());
            std::size_t i = 0;
            try {
                for (; i < run.size(); ++i) {
                    bits.set(i, from.erase(run[i]) != status::not_present);
                }
            } catch (...) {
                c::note_key(place.index_of(i));
                told.put(place, bits);
                throw;
            }
            told.put(place, bits);
        });
    });
}

bloomery_status bloomery_count_many(const bloomery_filter* filter, const bloomery_keys* keys,
                                    std::uint64_t* counts) {
    return guarded([&] {
        const any_filter& asked = filter_in(filter);
        key_reader from(keys);
        if (from.count() != 0) {
            static_cast<void>(c::required(counts, "the output parameter for the counts"));
        }
        from.each_run([&](auto run, const run_place& place) {
            std::size_t at = 0;
            try {
                c::put_values(place, counts,
                              [&](std::size_t i) { return asked.count(run[at = i]); });
            } catch (...) {
                c::note_key(place.index_of(at));
                throw;
            }
        });
    });
}

bloomery_status bloomery_digest_many(const bloomery_filter* filter, const bloomery_keys* keys,
                                     bloomery_digest* digests) {
    return guarded([&] {
        const any_filter& asked = c::described_in(filter);
        key_reader from(keys);
        if (from.count() != 0) {
            static_cast<void>(c::required(digests, "the output parameter for the digests"));
        }
        from.adapt_to(asked);
        std::vector<digest128> made;
        from.each_run([&](auto run, const run_place& place) {
            c::noting_key(asked, run, place, [&](const auto& all) {
                if constexpr (std::same_as<decltype(run), std::span<const digest128>>) {
                    made.assign(all.begin(), all.end());
                } else {
                    asked.digest_many(all, made);
                }
            });
            c::put_values(place, digests, [&](std::size_t i) {
                return bloomery_digest{made[i].low, made[i].high};
            });
        });
    });
}
