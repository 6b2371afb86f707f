// No blob, however damaged, crashes the process, and none that is damaged by accident gives a wrong
// "no". Under AddressSanitizer, this also finds leaks and reads past the end.
#include "database.hpp"
#include "native_forgery.hpp"
#include "random.hpp"
#include "test_paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace bloomery::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t usual_rounds = 1'000'000;
#else
constexpr std::size_t usual_rounds = 20'000;
#endif

std::vector<std::string> sound_filters(const database& db) {
    std::vector<std::string> all;
    for (const auto& each : std::filesystem::directory_iterator(test_data("/native"))) {
        if (each.path().extension() != ".bloom") continue;
        std::ifstream from(each.path(), std::ios::binary);
        all.emplace_back(std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>());
    }
    std::ranges::sort(all); // folders have no order
    for (const char* const made : {"bloom_agg('apple', 10)", "bloom_agg('apple')"}) {
        all.push_back(db.bytes(std::string("SELECT ") + made));
    }
    return all;
}

/// Changes a few bytes, cuts or extends.
void mutate(std::string& bytes, random_source& random) {
    const auto somewhere = [&] {
        // Half of the changes are in what describes the filter.
        const std::uint64_t end = random.below(2) == 0 ? 160 : bytes.size();
        return random.below(std::min<std::uint64_t>(end, bytes.size()));
    };
    for (std::uint64_t left = 1 + random.below(3); left > 0 && !bytes.empty(); --left) {
        switch (random.below(8)) {
        case 0:
            bytes.resize(random.below(bytes.size() + 1));
            break;
        case 1:
            bytes += random.bytes(random.below(100));
            break;
        case 2:
            bytes[somewhere()] = '\xff';
            break;
        case 3:
            bytes[somewhere()] = '\0';
            break;
        default:
            bytes[somewhere()] ^= static_cast<char>(1U << random.below(8));
            break;
        }
    }
}

void mend(std::string& bytes) {
    const std::span file(reinterpret_cast<std::byte*>(bytes.data()), bytes.size()); // NOLINT
    mend_header(file);
    if (file.size() > format::native_header_bytes + 8) {
        mend_chunks(file, hash::load_le64(file.data() + 64) % file.size());
    }
}

/// Asks a statement with a blob. Nothing: it failed with a sentence that names the function.
std::optional<std::string> answer(const database& db, const statement& asked,
                                  const std::string& blob) {
    sqlite3_reset(asked.get());
    sqlite3_bind_blob64(asked.get(), 1, blob.data(), blob.size(), SQLITE_STATIC);
    const int status = sqlite3_step(asked.get());
    if (status == SQLITE_ROW) return database::column(asked, 0).value_or("");
    EXPECT_EQ(status, SQLITE_ERROR);
    EXPECT_EQ(std::string(sqlite3_errmsg(db.handle())).substr(0, 6), "bloom_");
    return std::nullopt;
}

TEST(Mutations, GiveAnErrorOrAnAnswer) {
    const char* const wanted = std::getenv("BLOOMERY_MUTATIONS");
    const std::size_t rounds =
        wanted == nullptr ? usual_rounds : static_cast<std::size_t>(std::stoull(wanted));
    random_source random(20'261'118);
    database db;
    const std::vector<std::string> sound = sound_filters(db);
    std::vector<statement> asked;
    for (const char* const call :
         {"bloom_contains(?1, 'apple')", "bloom_info(?1)", "length(bloom_merge(?1, ?1))"}) {
        asked.push_back(db.prepare(std::string("SELECT ") + call));
    }
    std::size_t answers = 0;
    std::string blob;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t of = random.below(sound.size());
        blob = sound[of];
        mutate(blob, random);
        const bool by_accident = round % 2 == 0;
        if (!by_accident) mend(blob);
        const std::optional<std::string> maybe = answer(db, asked[0], blob);
        // Those made here have the key.
        const bool has_apple = of + 2 >= sound.size();
        if (by_accident && has_apple) {
            ASSERT_EQ(maybe.value_or("1"), "1") << round;
        }
        for (std::size_t i = 1; i < asked.size(); ++i) {
            answers += answer(db, asked[i], blob) ? 1U : 0U;
        }
    }
    EXPECT_GT(answers, rounds / 100);
    EXPECT_LT(answers, rounds);
}

TEST(Mutations, OfOtherSystemsFiltersToo) {
    random_source random(7);
    database db;
    for (const std::string name : {"guava", "go", "go-json", "redisbloom", "parquet", "dcso"}) {
        const statement read = db.prepare("SELECT length(bloom_from(?1, '" + name + "'))");
        const statement detected = db.prepare("SELECT length(bloom_from(?1))");
        const std::string sound = db.bytes(
            "SELECT bloom_to(bloom_agg('apple', 50, 0.01, 'format=" + name + "'), '" + name + "')");
        for (std::size_t round = 0; round < usual_rounds / 100; ++round) {
            std::string blob = sound;
            mutate(blob, random);
            (void)answer(db, read, blob);
            (void)answer(db, detected, blob);
        }
    }
}

} // namespace
} // namespace bloomery::testing
