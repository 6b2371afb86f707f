// says: (no matching function for call to|no matching constructor for initialization of) .*filter
// lines: 150
int main() { bloomery::filter f(bloomery::rate{0.01}, bloomery::items{100}); }
