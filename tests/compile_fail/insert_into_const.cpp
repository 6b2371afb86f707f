// gcc says: passing 'const bloomery::.*filter.* as 'this' argument discards qualifiers
// clang says: candidate function template not viable: 'this' argument has type 'const
int main() {
    const bloomery::filter& fixed = seen;
    fixed.insert("key");
}
