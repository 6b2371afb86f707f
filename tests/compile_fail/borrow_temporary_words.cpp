// says: borrowed_words
// lines: 60
int main() { bloomery::storage::borrowed_words words(std::vector<std::uint64_t>(8)); }
