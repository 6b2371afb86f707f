# uniq -c and -d: how often lines occur, without sorting them.
load helper

lines() { printf '%s\n' pear apple pear plum apple pear; }

@test "-c counts lines in the order in which they first come" {
  [ "$(lines | bloomery uniq -c)" = "$(printf '%7d %s\n' 3 pear 2 apple 1 plum)" ]
  lines >file
  [ "$(bloomery uniq -c file)" = "$(lines | bloomery uniq -c)" ]
  [ "$(bloomery uniq -c --exact file)" = "$(lines | bloomery uniq -c)" ]
}

@test "-d prints what comes again, once, when it does" {
  [ "$(lines | bloomery uniq -d)" = "$(printf 'pear\napple')" ]
  lines >file
  [ "$(bloomery uniq -d --exact file)" = "$(printf 'pear\napple')" ]
  [ "$(bloomery uniq -d file file)" = "$(printf 'pear\napple\nplum')" ]
}

@test "-c and -d together count what comes again" {
  [ "$(lines | bloomery uniq -cd)" = "$(printf '%7d %s\n' 3 pear 2 apple)" ]
  lines >file
  [ "$(bloomery uniq -c -d --exact file)" = "$(printf '%7d %s\n' 3 pear 2 apple)" ]
}

@test "they agree with uniq(1) on many lines" {
  awk 'BEGIN { srand(7); for (i = 0; i < 300000; ++i) print int(exp(rand() * 12)) }' >many
  sort many | uniq -c | sort >expected
  bloomery uniq -c --exact many | sort | cmp - expected
  bloomery uniq -c -p 1e-9 <many | sort | cmp - expected
  sort many | uniq -d | sort >expected
  bloomery uniq -d --exact many | sort | cmp - expected
  bloomery uniq -d -p 1e-9 -n 1000 <many 2>/dev/null | sort | cmp - expected
}

@test "records of any bytes are counted" {
  printf 'a\0b\nc\0a\0' | bloomery uniq -0 -c >out
  printf '%7d %s\0' 2 a 1 $'b\nc' | cmp - out
  printf 'one,1;two,2;one,3;' | bloomery uniq -c --delimiter ';' -t , -f 1 >out
  [ "$(cat out)" = "      2 one,1;      1 two,2;" ]
}

@test "--json prints an object for each line" {
  [ "$(lines | bloomery uniq -c --json | jq -r '"\(.count) \(.line)"' | tr '\n' ';')" = "3 pear;2 apple;1 plum;" ]
  refuses bloomery uniq --json </dev/null
  says "give -c too"
}

@test "what cannot be counted is refused" {
  refuses bloomery uniq -c --state s.bloom -n 10 </dev/null
  refuses bloomery uniq -d --window 10 </dev/null
  refuses bloomery uniq -c -v </dev/null
  printf 'a\n' >file
  refuses bash -c "cat file | '$BLOOMERY' uniq -c --exact"
  says "save it to a file first"
}

@test "a full temporary folder is reported" {
  seq 300000 >many
  TMPDIR=/proc refuses bloomery uniq -c many
  says "TMPDIR"
}
