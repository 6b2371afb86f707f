#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/format/file.hpp>

#include "impl.hpp"

#include <string>

namespace bloomery::inline v0::detail {

namespace fs = std::filesystem;

fs::path guard_impl::beside(std::string_view ending) const {
    fs::path path = how_.file;
    return path.empty() ? path : path += ending;
}

fs::path guard_impl::layer_file(std::uint64_t layer) const {
    return layer == 0 ? how_.file : beside(std::string(".").append(std::to_string(layer)));
}

// The lock prevents two guards from using one file, whatever the kind of filter.
void guard_impl::open() {
    bool adopted = false;
    try {
        if (!how_.file.empty()) {
            lock_file_ = format::file_lock(beside(".lock"));
            if (!lock_file_.is_held()) {
                throw io_error(how_.file.string() + " is in use by another guard",
                               std::make_error_code(std::errc::operation_would_block),
                               "give each guard its own file");
            }
            remove_next();
            adopted = adopt();
        }
        if (!adopted && how_.start == warm_up::wait) {
            rebuild();
        }
    } catch (const store::store_error&) {
        if (how_.start == warm_up::wait) {
            throw;
        }
    }
    if (!adopted && how_.start == warm_up::background) {
        forget_note(); // writes before the end of the scan are not in the old file
        start_rebuild();
    }
}

/// An empty filter; in a file of that name if it is mapped. The file contains its secret, so it is
/// private from the start.
any_filter guard_impl::made(items n, rate p, const fs::path& at) const {
    any_filter empty =
        filters_.make(n, p, how_.keyed ? native_hash::keyed(hash::random_key()) : native_hash{});
    if (at.empty() || !filters_.maps) {
        return empty;
    }
    format::make_private(at);
    save(empty, at, if_exists::replace, {.comment = "a guard's", .keep_secret = true});
    return map(at, map_mode::read_write, {.locked = if_locked::refuse});
}

void guard_impl::remove_next() const {
    std::error_code ignored; // if it cannot be removed, replacing it will fail and report why
    fs::remove(beside(".next"), ignored);
}

// Renames first: writes are paused until the filters are swapped.
void guard_impl::take_place() {
    if (!how_.file.empty() && filters_.maps) {
        std::error_code wrong;
        fs::rename(beside(".next"), how_.file, wrong);
        if (wrong) {
            throw io_error("cannot replace " + how_.file.string(), wrong);
        }
    }
}

bool guard_impl::adopt() {
    const std::optional<guard_note> note = read_note(how_.file);
    if (!note || note->source != source_->name()) {
        return false;
    }
    std::optional<std::vector<any_filter>> layers = open_layers(*note);
    try {
        if (!layers || !bring_up_to_date(*note, *layers)) {
            return false;
        }
        front_.install(std::move(*layers));
    } catch (const bad_data&) { // a page that had not been checked yet
        return false;
    } catch (const filter_full&) {
        return false;
    }
    const std::lock_guard lock(noting_);
    save_all();
    note_now(mark_, false);
    return true;
}

std::optional<std::vector<any_filter>> guard_impl::open_layers(const guard_note& note) const {
    std::vector<any_filter> layers;
    try {
        for (std::uint64_t i = 0; i < note.layers; ++i) {
            layers.push_back(filters_.maps ? map(layer_file(i), map_mode::read_write,
                                                 {.locked = if_locked::refuse})
                                           : load(layer_file(i)));
            if (!is_ours(layers.back())) {
                return std::nullopt;
            }
        }
    } catch (const io_error& e) {
        if (e.code() != std::errc::no_such_file_or_directory) {
            throw;
        }
        return std::nullopt;
    } catch (const error&) { // damaged, from a later version, without its secret
        return std::nullopt;
    }
    return layers;
}

/// Whether the filter has the properties that this guard would give it.
bool guard_impl::is_ours(const any_filter& one) const {
    const any_filter example = filters_.make(items{1}, how_.planned, native_hash{});
    return one.spec().kind == example.spec().kind &&
           hash::is_keyed(one.spec().hash) == how_.keyed &&
           one.made_for().target_rate <= how_.planned.value;
}

// A file has everything that was written through its guard if the guard was closed, or if the file
// is mapped and the system was not rebooted: the pages of a killed process are still there.
bool guard_impl::bring_up_to_date(const guard_note& note, std::vector<any_filter>& layers) {
    mark_ = note.mark;
    const bool same_boot =
        note.boot == format::current_boot() && note.boot != decltype(note.boot){};
    const bool whole = note.closed || (filters_.maps && same_boot);
    // After a system crash, the source may have lost recent writes and erases.
    if (whole && how_.only_writer && (same_boot || source_->has_exact_marks())) {
        return true;
    }
    std::optional<std::string> mark = source_->mark();
    if (!mark) {
        return note.closed && note.count && *note.count == source_->count();
    }
    if (!note.mark || (!whole && !source_->has_exact_marks())) {
        return false;
    }
    mark_ = std::move(mark);
    return source_->scan_since(*note.mark, [&](store::keys keys) {
        layers.back().insert_many(keys);
        counts_.add(&counters::caught_up, keys.size());
    });
}

// The file's name must be as durable as the note that refers to it.
void guard_impl::save_all() {
    if (filters_.maps) {
        front_.sync();
        format::flush_folder_of(how_.file);
        return;
    }
    const std::vector<any_filter> copies = front_.copies();
    if (!copies.empty()) {
        format::make_private(how_.file); // private from the start
        save(copies.front(), how_.file, if_exists::replace,
             {.comment = "a guard's", .keep_secret = true});
    }
}

void guard_impl::note_now(std::optional<std::string> mark, bool closed) {
    const std::uint64_t layers = front_.look().layers;
    if (layers == 0) {
        return; // it was found damaged meanwhile
    }
    note_ = {source_->name(), std::move(mark), std::nullopt,
             layers,          closed,          format::current_boot()};
    if (closed && !note_.mark) {
        note_.count = source_->count();
    }
    write_note(how_.file, note_);
    std::error_code ignored;
    for (std::uint64_t i = note_.layers; fs::remove(layer_file(i), ignored); ++i) {
    }
}

void guard_impl::forget_note() const {
    if (how_.file.empty()) {
        return;
    }
    std::error_code wrong;
    fs::remove(note_of(how_.file), wrong);
    if (wrong) {
        throw io_error("cannot remove " + note_of(how_.file).string(), wrong);
    }
    format::flush_folder_of(how_.file);
}

// Taken before the filter is synced: what the source gets after the mark may be missing on disk. If
// there are other writers, a new mark would skip what they have written, so then only catch_up and
// rebuild take one.
std::optional<std::string> guard_impl::mark_now() {
    std::optional<std::string> mark;
    if (how_.only_writer) {
        mark = source_->mark();
    }
    const std::lock_guard lock(noting_);
    return how_.only_writer ? mark_ = std::move(mark) : mark_;
}

void guard_impl::checkpoint() {
    if (!how_.file.empty() && !front_.is_empty()) {
        std::optional<std::string> mark = mark_now();
        const std::lock_guard lock(noting_);
        save_all();
        step(guard_step::checkpoint);
        note_now(std::move(mark), false);
        step(guard_step::noted);
    }
    watch_fill();
}

void guard_impl::close() {
    stop();
    cache_.settle();
    if (how_.file.empty() || front_.is_empty()) {
        return;
    }
    std::optional<std::string> mark = mark_now();
    const std::lock_guard lock(noting_);
    save_all();
    note_now(std::move(mark), true);
}

} // namespace bloomery::inline v0::detail
