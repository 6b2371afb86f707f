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

@test "a filter for Milvus knows whether its keys are integers or texts" {
  seq 100 >ids
  bloomery create --format milvus -p 1% --key int ints.mbf ids
  bloomery create --format milvus -p 1% --key i64le same.mbf ids
  cmp ints.mbf same.mbf
  bloomery info ints.mbf | grep -q 'domains: int64$'
  bloomery test -q ints.mbf 7 # without --key, because there are only integers
  run -1 bloomery test -q --key utf8 ints.mbf 7
  bloomery create --format milvus -p 1% texts.mbf ids
  bloomery test -q texts.mbf 7
  run -1 bloomery test -q --key int texts.mbf 7
  refuses bloomery add ints.mbf <<<seven
  says 'not a 64-bit integer'
  refuses bloomery add --key i32le ints.mbf ids
  says 'are int or utf8, not i32le'
  bloomery merge ints.mbf texts.mbf -o both.mbf
  bloomery info both.mbf | grep -q 'domains: int64 utf8$'
  bloomery test -q --key int both.mbf 7
  bloomery test -q both.mbf 7
}

@test "bits that do not tell their kind of keys become a filter for both in Milvus" {
  seq 100 >ids
  bloomery create --format milvus -p 1% --key int ints.mbf ids
  bloomery convert --to parquet ints.mbf bits
  bloomery convert --to milvus,items=100,rate=1% bits any.mbf
  bloomery info any.mbf | grep -q 'domains: int64 utf8$'
  bloomery convert --to milvus,items=100,rate=1%,domains=int64 bits again.mbf
  cmp ints.mbf again.mbf
  bloomery convert --to native ints.mbf n
  bloomery convert --to milvus,domains=int64 n again.mbf --force
  cmp ints.mbf again.mbf
  refuses bloomery convert --to milvus,domains=int32 n other.mbf
  says 'int64, utf8 or both, not int32'
}

@test "integers are read as they are written, to the ends of their ranges" {
  bloomery create --format parquet -n 100 -p 1e-9 f
  printf '%s\n' 0 -0 7 -7 00000000000000000007 123456789 -1234567890123456 9223372036854775807 \
    -9223372036854775808 18446744073709551615 9999999999999999999 >numbers
  bloomery add --key int f numbers
  [ "$(bloomery test --key int f -- 0 7 -7 123456789 -1234567890123456 9223372036854775807 \
    -9223372036854775808 -1 9999999999999999999 | grep -c maybe)" -eq 9 ]
  printf '9223372036854775807\n-9223372036854775808\n-7\n' | bloomery grep -v --key i64le f >out || true
  [ ! -s out ]
  for bad in '' - +7 7x x7 12345678x 1234567:8 18446744073709551616 -9223372036854775809 ' 7' 7.0; do
    refuses bloomery add --key int f <<<"$bad"
    says 'not a 64-bit integer'
  done
}

@test "a RedisBloom filter comes back from native with the rules that were asked for" {
  local rules
  for rules in expansion=4 nonscaling=1 options=5 options=4 options=13 options=1 options=0,expansion=3; do
    bloomery create --force --format "redisbloom,$rules" -n 90 -p 3% a
    bloomery convert --force --to native a n
    bloomery convert --force --to "redisbloom,$rules" n b
    cmp a b || { echo "$rules"; false; }
  done
  bloomery create --force --format redisbloom,expansion=4 -n 90 -p 3% a
  seq 60 | bloomery add a
  bloomery convert --force --to native a n
  bloomery convert --force --to redisbloom,expansion=4 n b
  bloomery info b | grep -q 'Expansion rate: 4$'
  seq 60 | bloomery grep -v b && false
  refuses bloomery convert --to redisbloom,nonscaling=1 n c # made for half the rate
  says 'nonscaling or options'
  refuses bloomery convert --to redisbloom,options=1 n c
  says 'hash of 64 bits'
}

@test "seeds of Spark may be negative, as it prints them" {
  bloomery create --format spark-2 --seed -77 -n 100 -p 1% a
  bloomery create --format spark-2,seed=-77 -n 100 -p 1% b
  cmp a b
  bloomery info a | grep -q 'seed: -77$'
  bloomery create --format spark-2 --seed 4294967219 -n 100 -p 1% c # the same 32 bits
  cmp a c
  refuses bloomery create --format spark-2 --seed -2147483649 -n 100 -p 1% d
  refuses bloomery create --format spark-2,seed=-9223372036854775809 -n 100 -p 1% d
  says 'the least seed'
  refuses bloomery create --seed -77 -n 100 d
  says 'only other systems have negative seeds'
}

@test "-k goes as far as each system does" {
  local format
  for format in guava go hadoop; do
    bloomery create --force --format "$format" --bits 357 -k 247 a
    bloomery create --force --format "$format,bits=357,hashes=247" b
    cmp a b
    bloomery info --format "$format" a | grep -q '247 hashes per key'
  done
  refuses bloomery create --format guava --bits 357 -k 256 c
  refuses bloomery create --format guava --bits 357 -k 65536 c
  says 'at most 65535 hashes per key'
  refuses bloomery create --bits 357 -k 65 c
  says '65'
  refuses bloomery create --bits 357 -k 0 c
  refuses bloomery plan --bits 357 -k 65 -n 10
  says '65'
}

@test "sizes of 0 are what the originals make of them" {
  bloomery create --format go --bits 0 -k 0 a
  cmp a "$golden/go-bloom-v3/new_m0_k0_empty.bin"
  echo key | bloomery add --format go a
  bloomery test -q --format go a key
  bloomery create --format redisson,items=1,rate=0 r # the least rate that a double has
  bloomery info --format redisson,items=1,rate=0 r | grep -q 'size: 1549$'
  refuses bloomery create --format guava,items=1,rate=0 g
  refuses bloomery create --format go,items=1,rate=0 g
}

@test "Go's bytes do not tell their hash, so none is chosen" {
  local file
  for file in go-bloom-v2.0.0-fnv/new_m1000_k5 go-bloom-v3/new_m1000_k5; do
    refuses bloomery info "$golden/$file.json"
    says 'go-fnv-json, go-json; name its format with --format'
    bloomery info --format go-fnv-json "$golden/$file.json" | grep -q '^scheme    go$'
  done
  refuses bloomery test "$golden/go-bloom-v2.0.0-fnv/new_m64_k4.bin" key
  says 'go, go-fnv'
  refuses bloomery test "$golden/go-bloom-v3/new_m64_k4.gob" key
  says 'go-fnv-gob, go-gob'
}

@test "a key that hash-code-6 refuses leaves its first bit, as in the original" {
  bloomery create --format hash-code-6 a
  run -2 bloomery add --format hash-code-6 --key java-int a <<<-6
  [ "$(wc -c <a)" -eq $((0x1fff0005 / 8 + 1)) ] # up to the last bit that is set
  [ "$(tail -c 1 a | od -An -tx1)" = ' 20' ]
  bloomery create --force --format hash-code-6 b
  bloomery add --skip-unplaceable --format hash-code-6 --key java-int b <<<-6
  cmp a b
}

@test "info lists the filters of a .parquet file, and grep asks all row groups" {
  parquet=$BATS_TEST_DIRNAME/../data/parquet
  cp "$parquet/arrow.parquet" f.parquet
  bloomery info f.parquet >out
  [ "$(head -n 1 out)" = 'format    parquet-file: 18 filters in a .parquet file' ]
  [ "$(awk 'NR > 2 && $1 == 2 && $2 == "part.inner" { print $3 }' out)" = BYTE_ARRAY ]
  [ "$(wc -l <out)" -eq 20 ]
  [ "$(bloomery info --format parquet-file,column=id f.parquet | wc -l)" -eq 5 ]
  bloomery info --format parquet-file,column=id,row-group=1 f.parquet | grep -q '^original  row group: 1$'
  bloomery info --json f.parquet >out
  [ "$(jq -c '[.format, (.filters | length), .filters[17].column, .filters[17].row_group]' out)" = '["parquet-file",18,"part.inner",2]' ]
  [ "$(jq '.filters[0].estimated_items | round' out)" -ge 190 ]
  printf 'word-%s\n' 3 210 310 >words
  bloomery grep --format parquet-file,column=name f.parquet words | cmp - words
  bloomery grep -c --format parquet-file,column=name,row-group=1 f.parquet words | grep -q '^1$'
  bloomery test -q --key i64le --format parquet-file,column=id f.parquet -- -5
  run -1 bloomery test -q --key i64le --format parquet-file,column=id f.parquet 1
  refuses bloomery grep f.parquet words
  says 'several columns'
  refuses bloomery convert --format parquet-file,column=name --to parquet f.parquet g
  refuses bloomery convert --format parquet-file,column=name --to native f.parquet g
  bloomery convert --format parquet-file,column=name,row-group=2 --to parquet f.parquet g
  bloomery info "$parquet/one.parquet" | grep -q '^original  path_in_schema: name$'
  head -c 8000 f.parquet >cut.parquet
  refuses bloomery info cut.parquet
}

@test "doubles of DataSketches have one zero and one NaN" {
  bloomery create --format datasketches -n 100 -p 1e-9 f
  printf '%s\n' -0 nan 1.5 | bloomery add --key f64le-canonical f
  [ "$(bloomery test --key f64le-canonical f -- 0 -0.0 nan -nan 1.5 | grep -c maybe)" -eq 5 ]
  bloomery test -q --key hex f 0000000000000000
  bloomery test -q --key hex f 000000000000f87f
  run -1 bloomery test -q --key hex f 0000000000000080 # -0
  refuses bloomery add --key f64le-canonical f <<<one
  says 'a 64-bit float'
}

@test "formats lists what there is" {
  bloomery formats | grep -q '^guava '
  bloomery formats --json | grep -q '"name": "guava"'
}
