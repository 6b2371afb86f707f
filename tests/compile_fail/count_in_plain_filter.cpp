// says: no member named 'count'
int main() { return seen.count("key"); }
