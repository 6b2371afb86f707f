#include "input/unpacking.hpp"

#include <bloomery/error.hpp>

#ifdef BLOOMERY_UNPACKS_GZIP
#include <zlib.h>
#endif
#ifdef BLOOMERY_UNPACKS_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

constexpr std::string_view gzip_mark("\x1f\x8b\x08", 3);
constexpr std::string_view zstd_mark("\x28\xb5\x2f\xfd", 4);

/// Compressed bytes on their way, and what both kinds of unpackers do with them.
class buffered_unpacker : public unpacker {
public:
    std::size_t read(const byte_reader& packed, std::span<char> into) final {
        while (!into.empty()) {
            if (left_.empty()) {
                left_ = std::span(buffer_).first(packed(buffer_));
                if (left_.empty() && !between_) refuse("ends early");
                if (left_.empty()) break;
            }
            if (const std::size_t got = unpack(left_, into); got > 0) return got;
        }
        return 0;
    }
    void reset() final {
        left_ = {};
        between_ = true;
        restart();
    }

protected:
    explicit buffered_unpacker(std::string name)
        : name_(std::move(name)), buffer_(std::size_t{256} << 10U) {}

    /// Unpacks some of `from`, which becomes what is left. Returns how much it wrote.
    virtual std::size_t unpack(std::span<char>& from, std::span<char> into) = 0;
    virtual void restart() = 0;

    [[noreturn]] void refuse(const char* what) const {
        throw bad_data("the compressed data in " + name_ + " " + what +
                       "; check it with gzip -t or zstd -t");
    }
    /// Whether an input may end here: a file may be several compressed ones in a row.
    void set_between(bool parts) noexcept { between_ = parts; }
    [[nodiscard]] bool is_between() const noexcept { return between_; }

private:
    std::string name_;
    std::vector<char> buffer_;
    std::span<char> left_;
    bool between_ = true;
};

#ifdef BLOOMERY_UNPACKS_GZIP

class gzip_unpacker final : public buffered_unpacker {
public:
    explicit gzip_unpacker(std::string name) : buffered_unpacker(std::move(name)) {
        if (::inflateInit2(&state_, 15 + 16) != Z_OK) throw std::bad_alloc();
    }
    ~gzip_unpacker() override { ::inflateEnd(&state_); }

private:
    std::size_t unpack(std::span<char>& from, std::span<char> into) override {
        // Some writers fill the last block of a tape with zeros; gzip(1) ignores these too.
        if (is_between()) {
            while (padding_ && !from.empty() && from.front() == '\0') from = from.subspan(1);
            if (from.empty()) return 0;
        }
        state_.next_in = reinterpret_cast<Bytef*>(from.data()); // NOLINT: zlib's bytes
        state_.avail_in = static_cast<uInt>(from.size());
        state_.next_out = reinterpret_cast<Bytef*>(into.data()); // NOLINT: the same
        const auto room = static_cast<uInt>(std::min<std::size_t>(into.size(), 1U << 30U));
        state_.avail_out = room;
        const int verdict = ::inflate(&state_, Z_NO_FLUSH);
        from = from.last(state_.avail_in);
        set_between(verdict == Z_STREAM_END);
        padding_ = padding_ || verdict == Z_STREAM_END;
        if (verdict == Z_STREAM_END) {
            ::inflateReset(&state_);
        } else if (verdict == Z_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (verdict != Z_OK && verdict != Z_BUF_ERROR) {
            refuse("is damaged");
        }
        return room - state_.avail_out;
    }
    void restart() override {
        padding_ = false;
        ::inflateReset(&state_);
    }

    z_stream state_{};
    bool padding_ = false;
};

#endif

#ifdef BLOOMERY_UNPACKS_ZSTD

class zstd_unpacker final : public buffered_unpacker {
public:
    explicit zstd_unpacker(std::string name)
        : buffered_unpacker(std::move(name)), state_(::ZSTD_createDStream()) {
        if (state_ == nullptr) throw std::bad_alloc();
    }
    ~zstd_unpacker() override { ::ZSTD_freeDStream(state_); }

private:
    std::size_t unpack(std::span<char>& from, std::span<char> into) override {
        ZSTD_inBuffer in{from.data(), from.size(), 0};
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        const std::size_t verdict = ::ZSTD_decompressStream(state_, &out, &in);
        if (::ZSTD_isError(verdict) != 0) refuse("is damaged");
        set_between(verdict == 0);
        from = from.subspan(in.pos);
        return out.pos;
    }
    void restart() override { ::ZSTD_DCtx_reset(state_, ZSTD_reset_session_only); }

    ZSTD_DStream* state_;
};

#endif

[[maybe_unused]] [[noreturn]] void refuse_to_unpack(const std::string& name, const char* library,
                                                    const char* command) {
    throw unsupported(name + " is compressed, and this bloomery was built without " + library +
                      "; unpack it first: " + command);
}

} // namespace

bool may_be_packed(std::string_view start) noexcept {
    return std::ranges::any_of(std::array{gzip_mark, zstd_mark}, [&](std::string_view mark) {
        return start.starts_with(mark) || mark.starts_with(start);
    });
}

std::unique_ptr<unpacker> unpacker_for(std::string_view start, const std::string& name) {
    if (start.starts_with(gzip_mark)) {
#ifdef BLOOMERY_UNPACKS_GZIP
        return std::make_unique<gzip_unpacker>(name);
#else
        refuse_to_unpack(name, "zlib", "gzip -dc");
#endif
    }
    if (start.starts_with(zstd_mark)) {
#ifdef BLOOMERY_UNPACKS_ZSTD
        return std::make_unique<zstd_unpacker>(name);
#else
        refuse_to_unpack(name, "zstd", "zstd -dc");
#endif
    }
    return nullptr;
}

} // namespace bloomery::cli
