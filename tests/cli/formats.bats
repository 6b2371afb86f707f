# Filters of other systems: --format, convert and formats.
load helper

golden=$BATS_TEST_DIRNAME/../data/foreign

# made FORMAT FILE KEY...: a filter of 1,000 keys at 1e-9 with these keys
made() {
  bloomery create --format "$1" -n 1000 -p 1e-9 "$2"
  printf '%s\n' "${@:3}" | bloomery add --format "$1" "$2"
}

@test "a filter that Guava wrote is known by its bytes, described and asked" {
  file=$golden/guava-31.1/08_string_utf8_m64.bin
  bloomery info "$file" | grep -q '^format    guava'
  bloomery info "$file" | grep -q 'approximateElementCount'
  [ "$(bloomery info --json "$file" | grep -c '"scheme": "guava-64"')" -eq 1 ]
  bloomery verify "$file"
  bloomery test -q "$file" key-1
  bloomery test -q "$file" 张学友
  bloomery info - <"$file" | grep -q '^format    guava'
}

@test "create, add, test, grep, merge and verify work on a foreign file" {
  made guava a.bin apple pear
  made guava b.bin plum
  bloomery test -q a.bin apple
  run -1 bloomery test -q a.bin plum
  [ "$(printf 'apple\nplum\npear\n' | bloomery grep a.bin | tr '\n' ' ')" = "apple pear " ]
  [ "$(printf 'apple\nplum\npear\n' | bloomery grep -v a.bin)" = plum ]
  bloomery merge a.bin b.bin -o both.bin
  made guava direct.bin apple pear plum
  cmp both.bin direct.bin
  bloomery intersect a.bin b.bin -o none.bin
  run -1 bloomery test -q none.bin apple plum
  bloomery verify a.bin b.bin both.bin
}

@test "a native file keeps the foreign hash, and gives the foreign file back" {
  made guava a.bin apple pear
  bloomery convert --to native a.bin a.bloom
  bloomery info a.bloom | grep -q 'guava-64'
  bloomery verify a.bloom
  bloomery test -q a.bloom apple
  bloomery convert --to guava a.bloom again.bin
  cmp a.bin again.bin
  echo plum | bloomery add a.bloom
  bloomery convert --to guava a.bloom more.bin
  made guava direct.bin apple pear plum
  cmp more.bin direct.bin
  bloomery merge a.bloom a.bin -o sum.bloom
  bloomery test -q sum.bloom plum
  bloomery merge a.bin a.bloom -o sum.bin # of the first one's format
  cmp sum.bin direct.bin
}

@test "a filter cannot become one of another hash, and is told how to be made again" {
  filter_of apple
  refuses bloomery convert --to guava f.bloom g.bin
  says "f.bloom (native) cannot be converted to guava"
  says "bloomery create --format guava"
  [ ! -e g.bin ]
}

@test "convert does not replace a file unless told" {
  made guava a.bin apple
  echo keep >there
  refuses bloomery convert --to native a.bin there
  [ "$(<there)" = keep ]
  bloomery convert --force --to native a.bin there
  bloomery verify there
  bloomery convert --to native a.bin - | bloomery convert --to guava - - | cmp - a.bin
}

@test "a foreign file is as it was when an add fails" {
  made guava a.bin apple
  cp a.bin before.bin
  refuses bloomery add --key i32le a.bin < <(printf '1\nnone\n')
  says "record 2"
  cmp a.bin before.bin
  [ "$(ls)" = "$(printf 'a.bin\nbefore.bin\nstderr.txt\nstdout.txt')" ]
}

@test "parallel adds to a foreign file lose nothing" {
  bloomery create --format guava -n 10000 -p 1e-9 a.bin
  for i in 1 2 3 4 5 6 7 8; do seq "$i"000 "$i"999 | bloomery add a.bin & done
  wait
  [ "$(seq 1000 8999 | bloomery grep -c a.bin)" -eq 8000 ]
}

@test "names and parameters that there are none of" {
  refuses bloomery info --format nonesuch x
  says "guava"
  made guava a.bin apple
  refuses bloomery info --format guava,colour=red a.bin
  says "bits="
  refuses bloomery convert --to guava-java a.bin a.ser
  says "funnel="
  bloomery convert --to guava-java,funnel=utf8 a.bin a.ser
  bloomery convert --to guava a.ser - | cmp - a.bin
}

@test "six bytes that ask for 17 GB are refused" {
  printf '\x01\x07\x7f\xff\xff\xff' >six
  refuses bloomery info --format guava six
  says "truncated"
  refuses bloomery info six
}

@test "formats lists what there is" {
  bloomery formats | grep -q '^guava '
  bloomery formats --json | grep -q '"name": "guava"'
}
