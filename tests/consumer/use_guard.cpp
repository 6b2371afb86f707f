// The same for a store behind a guard, which needs no server.
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/version.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

int main() {
    std::string folder = (std::filesystem::temp_directory_path() / "use-guard-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return 1;
    bool is_there = false;
    {
        bloomery::store::sqlite store(folder + "/shop.db", {"items", "id", "body"});
        store.put("apple", "red");
        is_there = store.get("apple") == "red";
    }
    std::filesystem::remove_all(folder);
    std::puts(bloomery::version);
    return is_there ? 0 : 1;
}
