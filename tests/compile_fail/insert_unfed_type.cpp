// says: is_key_else_use_by_bits_or_bloomery_feed.*person
struct person {
    std::string name;
};
int main() { seen.insert(person{"Ada"}); }
