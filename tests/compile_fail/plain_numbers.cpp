// says: (no matching function for call to|no matching constructor for initialization of) .*filter
// lines: 150
int main() { bloomery::filter f(100, 0.01); }
