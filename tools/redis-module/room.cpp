#include "room.hpp"

#include "settings.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace bloomery::redis_module {

namespace {

/// What INFO says about memory.
class memory_info {
public:
    explicit memory_info(context* in) noexcept
        : in_(in), info_(server.get_server_info(in, "memory")) {}
    memory_info(const memory_info&) = delete;
    memory_info& operator=(const memory_info&) = delete;
    ~memory_info() {
        if (info_ != nullptr) server.free_server_info(in_, info_);
    }

    /// 0 if there is no such number.
    [[nodiscard]] std::uint64_t number(const char* field) const noexcept {
        int error = 0;
        const auto value = info_ != nullptr ? server.number_in_info(info_, field, &error) : 0;
        return error == 0 ? value : 0;
    }
    [[nodiscard]] bool evicts() const noexcept {
        const char* const policy =
            info_ != nullptr ? server.text_in_info(info_, "maxmemory_policy") : nullptr;
        return policy != nullptr && std::string_view(policy) != "noeviction";
    }

private:
    context* in_;
    server_info* info_;
};

} // namespace

void require_room(const call& of, std::uint64_t bytes) {
    // Of smaller ones, nobody notices what goes; and asking takes the server a while.
    constexpr std::uint64_t small = std::uint64_t{1} << 16U;
    if (bytes < small || !configured.checks_maxmemory || of.must_obey() ||
        server.used_memory_ratio() <= 1) { // 0 without a limit
        return;
    }
    const memory_info memory(of.in());
    const std::uint64_t most = memory.number("maxmemory");
    // A cache is always full: a quarter of it may go.
    if (most == 0 || (memory.evicts() && bytes <= most / 4)) return;
    const std::uint64_t used = memory.number("used_memory");
    const std::uint64_t others = used > bytes ? used - bytes : 0;
    throw refusal{"ERR the filter takes " + std::to_string(bytes) +
                  " bytes, but maxmemory leaves " +
                  std::to_string(most > others ? most - others : 0) +
                  ": raise maxmemory, or set bf-check-maxmemory to no"};
}

} // namespace bloomery::redis_module
