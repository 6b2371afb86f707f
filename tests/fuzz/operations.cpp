// Any sequence of operations on two filters against a model that remembers their keys: no key is
// ever missed, nothing known is called new, and the bits are those of a filter that got the keys
// one by one, however they were inserted: in bulk, shared, merged, saved, as another type.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/pmr.hpp>
#include <bloomery/format/native.hpp>

#include "native_input.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;

/// Calls `with` with the filter inside, of whichever type it is.
template <class... Filters, class With>
void as_any_of(any_filter& f, With with) {
    const auto attempt = [&](auto* inside) {
        if (inside != nullptr) {
            with(*inside);
        }
        return inside != nullptr;
    };
    must((attempt(f.get_if<Filters>()) || ...));
}
template <class With>
void as_itself(any_filter& f, With with) {
    as_any_of<filter, pmr::filter, classic_filter, blocked_filter, fast_filter, line_filter,
              deep_filter>(f, with);
}

/// What both filters of an input are: equal specs, so that they combine.
struct plan_of_both {
    plan::shape shape;
    native_hash hash;

    /// An empty one, with its type at run time, with memory from elsewhere, or with the layout at
    /// compile time, if there is such a type.
    [[nodiscard]] any_filter make(unsigned type) const {
        if (type % 3 == 1) {
            return pmr::filter(shape, hash, {});
        }
        if (type % 3 == 2 && hash.id() == hash::hash_id::xxh3_64) {
            const hash::xxh3_64 narrow{hash.seed()};
            switch (shape.layout) {
            case layout_kind::classic:
                return classic_filter(shape, narrow, {});
            case layout_kind::blocked_512:
                return blocked_filter(shape, narrow, {});
            case layout_kind::split_8x32:
                return fast_filter(shape, narrow, {});
            case layout_kind::split_8x64:
                return line_filter(shape, narrow, {});
            case layout_kind::split_16x32:
                return deep_filter(shape, narrow, {});
            }
        }
        return make_filter(shape, hash);
    }
};

/// The keys of a step: texts or numbers, never both, so that one batch has them all.
struct batch {
    std::vector<std::string> texts;
    std::vector<std::uint64_t> numbers;

    explicit batch(fuzz::input& from) {
        const unsigned kind = from.byte();
        if (kind % 2 == 0) {
            for (unsigned i = 0; i < kind / 2 % 8 && !from.empty(); ++i) {
                texts.push_back(from.text(from.byte() % 16));
            }
        } else {
            std::uint64_t next = from.number(2);
            const std::uint64_t step = from.byte();
            for (unsigned i = 0; i < kind; ++i, next += step) {
                numbers.push_back(next);
            }
        }
    }
    /// Calls `with` with the keys as a range.
    template <class With>
    void visit(With with) const {
        texts.empty() ? with(numbers) : with(texts);
    }
};

class checked {
public:
    checked(const plan_of_both& plan, unsigned type) : plan_(plan), real_(plan.make(type)) {}

    void step(checked& other, unsigned operation, fuzz::input& from) {
        switch (operation % 16) {
        case 0:
            return insert_singly(batch(from));
        case 1:
            return describe();
        case 2:
            return insert_as_handle(batch(from));
        case 3:
            return insert_in_bulk(batch(from));
        case 4:
            return try_insert_in_bulk(batch(from));
        case 5:
            return insert_shared(batch(from));
        case 6:
            return insert_digests(batch(from));
        case 7:
            return ask(batch(from));
        case 8:
        case 9:
            return merge(other);
        case 10:
            return intersect(other);
        case 11:
            return reload(from.byte());
        case 12:
            return change_type(from.byte());
        case 13:
            return refuse_others(from);
        case 14:
            return copy(other);
        default:
            return clear();
        }
    }

    void finish() {
        must(misses_nothing());
        // After an intersection there are bits that no key explains.
        if (only_keys_) {
            filter expected(layout::native(plan_.shape),
                            storage::heap_words<>(plan_.shape.byte_count() / 8), plan_.hash);
            for (const std::string& text : texts_) {
                expected.insert(text);
            }
            for (const std::uint64_t number : numbers_) {
                expected.insert(number);
            }
            must(std::ranges::equal(expected.words(), real_.words()));
        }
    }

private:
    [[nodiscard]] bool knows(const std::string& text) const { return texts_.count(text) != 0; }
    [[nodiscard]] bool knows(std::uint64_t number) const { return numbers_.count(number) != 0; }
    void note(const std::string& text) { texts_.insert(text); }
    void note(std::uint64_t number) { numbers_.insert(number); }
    void note(const batch& keys) {
        texts_.insert(keys.texts.begin(), keys.texts.end());
        numbers_.insert(keys.numbers.begin(), keys.numbers.end());
    }
    /// Takes keys in with what a bulk call said of each: only those that nobody had were new.
    template <class Keys>
    void note_fresh(const Keys& keys, const bitmap& fresh) {
        must(fresh.bit_count() == keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            must(!(fresh[i] && knows(keys[i])));
            note(keys[i]);
        }
    }
    [[nodiscard]] bool misses_nothing() {
        bool all = true;
        as_itself(real_, [&](const auto& f) {
            const auto has = [&](const auto& key) { return f.may_contain(key); };
            all = std::ranges::all_of(texts_, has) && std::ranges::all_of(numbers_, has);
        });
        return all;
    }

    void insert_singly(const batch& keys) {
        as_itself(real_, [&](auto& f) {
            keys.visit([&](const auto& all) {
                for (const auto& key : all) {
                    const bool maybe = f.may_contain(key);
                    const bool fresh = f.try_insert(key);
                    must(fresh != maybe && !(fresh && knows(key)) && f.may_contain(key));
                    note(key);
                }
            });
        });
    }
    void insert_as_handle(const batch& keys) {
        keys.visit([&](const auto& all) {
            for (const auto& key : all) {
                must(real_.try_insert(key) ? !knows(key) : real_.may_contain(key));
                note(key);
            }
        });
    }
    void insert_in_bulk(const batch& keys) {
        as_itself(real_,
                  [&](auto& f) { keys.visit([&](const auto& all) { f.insert_many(all); }); });
        note(keys);
    }
    void try_insert_in_bulk(const batch& keys) {
        as_itself(real_, [&](auto& f) {
            keys.visit([&](const auto& all) { note_fresh(all, f.try_insert_many(all)); });
        });
    }
    void insert_shared(const batch& keys) {
        as_itself(real_, [&](auto& f) {
            const auto view = f.shared();
            keys.visit([&](const auto& all) {
                bitmap answers;
                view.try_insert_many(all, answers);
                note_fresh(all, answers);
                view.may_contain_many(all, answers);
                must(answers.count() == all.size());
                for (const auto& key : all) {
                    must(view.may_contain(key) && !view.try_insert(key));
                }
            });
        });
    }
    void insert_digests(const batch& keys) {
        std::vector<digest128> hashed;
        keys.visit([&](const auto& all) {
            for (const auto& key : all) {
                hashed.push_back(real_.digest(key));
            }
            bitmap fresh;
            real_.try_insert_many(hashed, fresh);
            note_fresh(all, fresh);
        });
    }
    void ask(const batch& keys) {
        as_itself(real_, [&](const auto& f) {
            keys.visit([&](const auto& all) {
                const bitmap maybe = f.may_contain_many(all);
                bitmap handled;
                real_.may_contain_many(all, handled);
                must(maybe == handled);
                std::vector<std::size_t> selected;
                f.select_possible(all, std::back_inserter(selected));
                must(selected.size() == maybe.count());
                auto possible = all;
                auto absent = all;
                possible.clear();
                absent.clear();
                f.copy_possible(all, std::back_inserter(possible));
                f.copy_absent(all, std::back_inserter(absent));
                must(possible.size() == maybe.count());
                must(possible.size() + absent.size() == all.size());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    must(maybe[i] == f.may_contain(all[i]) && (maybe[i] || !knows(all[i])));
                }
            });
        });
    }

    void describe() const {
        const statistics now = real_.stats();
        must(now.bits_set == count_ones(real_.words()) && now.bit_count == plan_.shape.bit_count);
        must(now.expected_rate >= 0 && now.expected_rate <= 1 && now.items.items >= 0);
        must(now.bits_set != 0 || (now.expected_rate == 0 && now.items.items == 0));
    }

    void merge(const checked& other) {
        real_.merge(other.real_);
        texts_.insert(other.texts_.begin(), other.texts_.end());
        numbers_.insert(other.numbers_.begin(), other.numbers_.end());
        only_keys_ = only_keys_ && other.only_keys_;
        must(misses_nothing());
    }
    void intersect(const checked& other) {
        real_.intersect(other.real_);
        std::erase_if(texts_, [&](const std::string& text) { return !other.knows(text); });
        std::erase_if(numbers_, [&](std::uint64_t number) { return !other.knows(number); });
        only_keys_ = false;
        must(misses_nothing());
    }
    void reload(unsigned choice) {
        format::encode_options writing{.comment = "a comment", .keep_secret = choice % 2 == 0};
        const std::vector<std::byte> file = fuzz::encoded(real_, writing);
        format::decode_options reading;
        if (choice % 2 == 1) {
            reading.secret = plan_.hash.secret();
        }
        any_filter again = choice / 2 % 2 == 0
                               ? format::decode_native(file, reading)
                               : format::decode_native(fuzz::pipe_of(file), reading);
        must(fuzz::same(again, real_) && again.compatible_with(real_));
        real_ = std::move(again);
    }
    void change_type(unsigned type) {
        any_filter next = plan_.make(type);
        next.merge(real_);
        must(next.compatible_with(real_) && fuzz::same(next, real_));
        real_ = std::move(next);
    }
    /// A filter of any other spec is refused, and nothing changes.
    void refuse_others(fuzz::input& from) {
        const plan_of_both their{fuzz::any_shape(from, 4096), fuzz::any_hash(from)};
        const any_filter other = their.make(from.byte());
        const std::vector<std::uint64_t> before(real_.words().begin(), real_.words().end());
        try {
            real_.merge(other);
            must(other.spec() == real_.spec());
        } catch (const incompatible&) {
            must(!(other.spec() == real_.spec()) && !real_.compatible_with(other));
        }
        must(std::ranges::equal(before, real_.words()));
    }
    void copy(const checked& other) {
        any_filter theirs = other.real_;
        real_ = theirs;
        theirs.clear(); // of no matter: a copy owns its bits
        texts_ = other.texts_;
        numbers_ = other.numbers_;
        only_keys_ = other.only_keys_;
        must(std::ranges::equal(real_.words(), other.real_.words()));
    }
    void clear() {
        real_.clear();
        texts_.clear();
        numbers_.clear();
        only_keys_ = true;
        must(count_ones(real_.words()) == 0);
    }

    const plan_of_both& plan_;
    any_filter real_;
    std::set<std::string> texts_;
    std::set<std::uint64_t> numbers_;
    bool only_keys_ = true; ///< every bit is of a key of the model
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const plan_of_both plan{fuzz::any_shape(from, 1U << 14U), fuzz::any_hash(from)};
    checked a(plan, from.byte());
    checked b(plan, from.byte());
    for (int steps = 0; !from.empty() && steps < 64; ++steps) {
        const unsigned operation = from.byte();
        operation % 2 == 0 ? a.step(b, operation / 2, from) : b.step(a, operation / 2, from);
    }
    a.finish();
    b.finish();
    return 0;
}
