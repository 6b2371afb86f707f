# Cascades: exact answers for keys that are all known beforehand.
load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  umask 022
  seq 1 1000 >in.txt
  seq 1001 21000 >out.txt
}

@test "every key of the two files is answered without an error" {
  bloomery cascade in.txt out.txt c.bloom
  [ "$(cat in.txt out.txt | bloomery grep c.bloom)" = "$(cat in.txt)" ]
  [ "$(cat out.txt in.txt | bloomery grep -v c.bloom)" = "$(cat out.txt)" ]
  run -0 bloomery test c.bloom 7 7000
  [ "$output" = $'maybe  7\nno     7000' ]
  bloomery verify c.bloom
  cat c.bloom | bloomery grep -q - in.txt
  run -1 bloomery grep c.bloom out.txt
  [ "$(stat -c %s c.bloom)" -lt 6000 ] # the header has 4096 bytes; 1000 keys at 10.4 bits
}

@test "info tells what it holds" {
  bloomery cascade -v in.txt out.txt c.bloom 2>told
  grep -q '^bloomery: 1,000 keys separated from 20,000 others, in 1\.' told
  bloomery info c.bloom >text
  grep -q '^kind      cascade,' text
  grep -qx 'holds     1,000 keys, separated from 20,000 others without error' text
  grep -q '^detail    levels: ' text
  bloomery info --json c.bloom >json
  grep -q '"kind": "cascade"' json
  grep -q '"stored_keys": 1000' json
  grep -q '"other_keys": 20000' json
  grep -q '"expected_rate": 0' json
  [ "$(bloomery info - <c.bloom)" = "$(cat text)" ]
}

@test "a key in both is named" {
  echo 500 >>out.txt
  refuses bloomery cascade in.txt out.txt c.bloom
  says '"500" is both in "in.txt" and in "out.txt"; remove it from one of them'
  [ ! -e c.bloom ]
  printf 'a,x\nb,y\n' >in.csv
  printf 'c,x\nd,y\nb,z\n' >out.csv
  refuses bloomery cascade -t , -f 1 in.csv out.csv c.bloom
  says '"b" is both in "in.csv" and in "out.csv"'
  bloomery cascade in.csv out.csv c.bloom
}

@test "repeated keys do no harm" {
  cat in.txt in.txt >twice.txt
  cat out.txt out.txt >others.txt
  bloomery cascade twice.txt others.txt c.bloom
  [ "$(cat in.txt out.txt | bloomery grep c.bloom)" = "$(cat in.txt)" ]
}

@test "it cannot be changed: the command says to build it again" {
  bloomery cascade in.txt out.txt c.bloom
  before=$(cksum <c.bloom)
  refuses bloomery add c.bloom <<<30000
  says 'c.bloom: keys cannot be added to a cascade; build it again'
  refuses bloomery remove c.bloom <<<7
  refuses bloomery count c.bloom <<<7
  refuses bloomery merge c.bloom c.bloom -o d.bloom
  says 'a filter of the kind cascade cannot be combined with another'
  refuses bloomery intersect c.bloom c.bloom -o d.bloom
  bloomery create -n 100 plain.bloom
  refuses bloomery merge c.bloom plain.bloom -o d.bloom
  refuses bloomery merge plain.bloom c.bloom -o d.bloom
  refuses bloomery convert --to guava c.bloom d.guava
  refuses bloomery uniq --state c.bloom in.txt
  [ "$(cksum <c.bloom)" = "$before" ]
}

@test "files, pipes and what is there already" {
  bloomery cascade - out.txt c.bloom <in.txt
  bloomery cascade in.txt - d.bloom <out.txt
  cmp c.bloom d.bloom # redirected files are counted, too
  cat out.txt | bloomery cascade in.txt - e.bloom
  [ "$(cat in.txt out.txt | bloomery grep e.bloom)" = "$(cat in.txt)" ]
  cat out.txt | bloomery cascade -n 20k in.txt - g.bloom
  cmp c.bloom g.bloom
  bloomery cascade in.txt out.txt - | cmp - c.bloom
  refuses bloomery cascade - - f.bloom </dev/null
  says 'standard input cannot be both'
  refuses bloomery cascade in.txt missing.txt c.bloom # before anything is read
  says 'c.bloom already exists'
  bloomery cascade --force out.txt in.txt c.bloom
  [ "$(cat in.txt out.txt | bloomery grep -c c.bloom)" = 20000 ]
  refuses bloomery cascade in.txt missing.txt f.bloom
  [ ! -e f.bloom ]
}

@test "keys of every kind" {
  bloomery cascade --key int in.txt out.txt c.bloom
  [ "$(cat in.txt out.txt | bloomery grep --key int c.bloom)" = "$(cat in.txt)" ]
  bloomery test -q --key int c.bloom 0007
  tr '\n' '\0' <in.txt >in0
  tr '\n' '\0' <out.txt >out0
  bloomery cascade -0 in0 out0 d.bloom
  [ "$(bloomery grep -c d.bloom in.txt)" = 1000 ]
  run -1 bloomery grep d.bloom out.txt
}

@test "none on one side, or on both" {
  : >none.txt
  bloomery cascade none.txt out.txt c.bloom
  run -1 bloomery grep c.bloom out.txt
  bloomery verify c.bloom
  bloomery info c.bloom | grep -qx 'holds     0 keys, separated from 20,000 others without error'
  bloomery cascade --force in.txt none.txt c.bloom
  [ "$(bloomery grep -c c.bloom in.txt)" = 1000 ]
  bloomery cascade --force none.txt none.txt c.bloom
  bloomery verify c.bloom
}

@test "a secret, a seed and a comment" {
  printf '0123456789abcdef0123456789abcdef\n' >secret
  bloomery cascade --secret-file secret --comment 'of mine' in.txt out.txt c.bloom
  refuses bloomery test c.bloom 7
  [ "$(cat in.txt out.txt | bloomery grep --secret-file secret c.bloom)" = "$(cat in.txt)" ]
  bloomery info --secret-file secret c.bloom | grep -qx 'comment   "of mine"'
  bloomery cascade --secret-file secret --keep-secret --force in.txt out.txt c.bloom
  [ "$(bloomery grep -c c.bloom in.txt)" = 1000 ]
  bloomery cascade --seed 7 in.txt out.txt d.bloom
  [ "$(cat in.txt out.txt | bloomery grep d.bloom)" = "$(cat in.txt)" ]
  refuses bloomery cascade --keep-secret in.txt out.txt e.bloom
}

@test "a stranger on which it errs may be excepted" {
  bloomery cascade in.txt out.txt c.bloom
  seq 50001 50500 >strangers.txt
  bloomery grep c.bloom strangers.txt >claimed.txt
  bloomery except c.bloom claimed.txt
  run -1 bloomery grep c.bloom strangers.txt
  [ "$(cat in.txt out.txt | bloomery grep c.bloom)" = "$(cat in.txt)" ]
  bloomery verify c.bloom
  refuses bloomery add c.bloom <<<30000
}

@test "damage is refused" {
  bloomery cascade in.txt out.txt c.bloom
  head -c 4500 c.bloom >short.bloom
  refuses bloomery test short.bloom 7
  printf '\xff' | dd of=c.bloom bs=1 seek=4600 conv=notrunc status=none
  refuses bloomery test c.bloom 7
  run -2 bloomery verify c.bloom
}
