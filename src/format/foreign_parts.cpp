#include "foreign_parts.hpp"

#include <bloomery/detail/plan/text.hpp>

#include <algorithm>
#include <utility>

namespace bloomery::inline v0::format {

void require_writable(const foreign_format& format, const any_filter& source) {
    require_writable(format);
    if (source.spec().shape.bit_count == 0) {
        storage::detail::refuse_moved_from();
    }
}

void require_writable(const foreign_format& format) {
    if (format.encode == nullptr) {
        throw unsupported("filters of the format " + std::string(format.name) +
                          " can be read but not written");
    }
}

std::string in_bytes(std::uint64_t count) { return plan::counted(count, "byte"); }

void refuse_size(const std::string& what, std::uint64_t byte_count, const limits& most) {
    throw memory_refused(what + " has " + plan::memory(static_cast<double>(byte_count)) +
                         ", more than the limit of " +
                         plan::memory(static_cast<double>(most.largest_filter_bytes)));
}

void check_limits(std::uint64_t hash_count, std::uint64_t byte_count, const limits& most) {
    if (hash_count > most.most_hashes) {
        throw memory_refused("the filter makes " + plan::counted(hash_count, "hash") +
                             " per key, more than the limit of " +
                             std::to_string(most.most_hashes));
    }
    if (byte_count > most.largest_filter_bytes) {
        refuse_size("the filter", byte_count, most);
    }
}

void check_layers(std::uint64_t count, const limits& most) {
    if (count > most.most_layers) {
        throw memory_refused("the filter has " + plan::counted(count, "layer") +
                             ", more than the limit of " + std::to_string(most.most_layers));
    }
}

void check_unseen(std::uint64_t claimed, std::uint64_t carried, const limits& most) {
    if (claimed > most_claimed_bytes(carried, most.most_unseen_bytes)) {
        throw claim_refused(
            "the filter claims " + in_bytes(claimed) + ", but its file has only " +
            in_bytes(carried) + "; the limit for bytes that are not in the file is " +
            in_bytes(most.most_unseen_bytes) + "; if you trust the file, raise that limit");
    }
}

void require_left(std::uint64_t left, std::uint64_t expected, std::string_view what) {
    if (left == expected) {
        return;
    }
    const std::string promised = std::string(what) + " should be " + in_bytes(expected) +
                                 " according to its header, but is " + in_bytes(left);
    throw bad_data(
        (left < expected ? "the filter is truncated: " : "there is data after the filter: ") +
        promised + "; restore it from a copy");
}

any_filter filter_of(const spec& what, byte_view array, bit_order order, const limits& most,
                     design made_for) {
    check_limits(what.shape.hash_count, what.shape.byte_count(), most);
    if (!is_foreign(what)) {
        throw bad_data("the filter claims to have " + plan::counted(what.shape.bit_count, "bit") +
                       " and " + plan::counted(what.shape.hash_count, "hash") +
                       " per key, which is impossible in this format");
    }
    auto words = words_from(array, order, what.shape.byte_count() / 8);
    if (const std::uint64_t used = what.shape.bit_count % 64; used != 0) {
        if (words.data()[words.word_count() - 1] >> used != 0) {
            throw bad_data("the filter is damaged: a bit past its end is set; restore it from a "
                           "copy");
        }
    }
    return make_foreign(what, std::move(words), made_for);
}

any_filter filter_of_used(const spec& what, byte_view used, bit_order order, const limits& most,
                          design made_for) {
    const std::uint64_t whole = bytes_for(what.shape.bit_count);
    if (used.size() > whole) {
        throw bad_data("a filter of " + plan::counted(what.shape.bit_count, "bit") +
                       " has at most " + in_bytes(whole) + ", but this one has " +
                       in_bytes(used.size()) + "; give the size that it was made with");
    }
    return filter_of(what, used, order, most, made_for);
}

new_size new_size_of(const foreign_options& options, plan::compat_shape (*formula)(items, rate),
                     const char* otherwise, std::optional<rate> usual) {
    if (options.m && options.k) {
        return {{options.m->value, options.k->value}};
    }
    const std::optional<rate> p = options.p ? options.p : usual;
    if (!options.n || !p) {
        throw bad_argument(otherwise);
    }
    return {formula(*options.n, *p), {options.n->value, p->value}};
}

any_filter empty_filter(const spec& what, design made_for) {
    if (!is_foreign(what)) {
        throw bad_argument("a filter of this format cannot have " +
                           plan::counted(what.shape.bit_count, "bit") + " with " +
                           plan::counted(what.shape.hash_count, "hash") + " per key");
    }
    return make_foreign(what, made_for);
}

void require_format(bool is_it, const foreign_format& format, const foreign_format& neighbour) {
    if (!is_it) {
        throw bad_data("this is not a file of the format " + std::string(format.name) +
                       " but one of " + std::string(neighbour.name) + "; name that format");
    }
}

void require_one_of(const spec& what, std::initializer_list<spec> known,
                    const foreign_format& format) {
    const bool fits = std::ranges::any_of(known, [&](const spec& one) {
        return one.kind == what.kind && one.scheme == what.scheme && one.hash == what.hash;
    });
    if (!fits) {
        throw incompatible(
            "the format " + std::string(format.name) +
            " uses another hash, and the keys cannot be recovered from the bits; create a new "
            "filter of that format and add the keys again");
    }
}

} // namespace bloomery::inline v0::format
