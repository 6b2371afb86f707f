// says: nullptr_t
int main() { seen.insert(nullptr); }
