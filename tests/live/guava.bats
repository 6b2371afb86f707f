# Guava from its jar: both strategies, both forms, and every funnel that it has for plain keys.
load helper
jar=/usr/share/java/guava.jar
compat=guava
if newest; then
  jar=$BATS_FILE_TMPDIR/guava.jar
  compat=guava-33.4
fi
packages() { newest && echo 'Maven and a JDK' || echo 'libguava-java and a JDK'; }
original() {
  command -v javac || return 1
  if newest; then command -v mvn; else [[ -e $jar ]]; fi
}
build() {
  ! newest || mvn -q -B dependency:copy -Dartifact=com.google.guava:guava:RELEASE -Dmdep.stripVersion=true \
    -DoutputDirectory="$BATS_FILE_TMPDIR"
  javac -cp "$jar" -d "$BATS_FILE_TMPDIR" "$BATS_TEST_DIRNAME/Guava.java"
}

guava() { java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$jar:$BATS_FILE_TMPDIR" Guava "$@"; }

# lines_of FUNNEL: the kind of keys to draw; key_of FUNNEL: what ours calls it
lines_of() {
  case $1 in
    bytes) echo hex ;;
    int | long) echo "$1" ;;
    *) echo text ;;
  esac
}
key_of() {
  case $1 in
    bytes) echo hex ;;
    int) echo i32le ;;
    long) echo i64le ;;
    chars) echo utf16le ;;
    utf16le) echo utf16le-text ;;
    *) echo "$1" ;;
  esac
}

# both_ways FORMAT FORM FUNNEL N P: the same file from the same keys, and the same answers from both
both_ways() {
  local format=$1 form=$2 funnel=$3 n=$4 p=$5 key bits
  key=$(key_of "$funnel")
  draw "$(lines_of "$funnel")" "$n" "$n"
  guava make "$form" "$funnel" theirs "$n" "$p" <present
  bits=$(told bits info --json theirs)
  # The file has whole words of 64 bits.
  [ $((($(told bits plan --compat $compat -n "$n" -p "$p" --json) + 63) / 64 * 64)) = "$bits" ]
  [ "$(told hashes plan --compat $compat -n "$n" -p "$p" --json)" = "$(told hashes info --json theirs)" ]
  bloomery create --force --format "$format,funnel=$funnel" --bits "$bits" -k "$(told hashes info --json theirs)" ours
  bloomery add --format "$format,funnel=$funnel" --key "$key" ours present
  same_bytes theirs ours
  same_answers theirs --key "$key" -- guava ask "$form" "$funnel" ours
}

@test "the same file and answers as Guava's for numbers" {
  both_ways guava stream int 300 0.03
  both_ways guava stream long 1000 0.3
}

@test "the same file and answers as Guava's for bytes" {
  both_ways guava stream bytes 1 0.5
  both_ways guava stream bytes 500 1e-6
}

@test "the same file and answers as Guava's for texts in each charset" {
  both_ways guava stream utf8 400 0.1
  both_ways guava stream chars 401 0.1
  both_ways guava stream utf16le 402 0.1
  both_ways guava stream latin1 403 0.1
}

@test "the same Java objects as Guava's" {
  both_ways guava-java object int 100 0.05
  both_ways guava-java object bytes 101 0.05
  both_ways guava-java object utf8 102 0.05
  both_ways guava-java object chars 103 0.05
}

@test "one filter passes from hand to hand, and ends as if one had made it" {
  draw text 600
  split -n l/3 present part.
  guava make stream utf8 f 600 0.02 <part.aa
  bloomery add --key utf8 f part.ab
  guava add stream utf8 f <part.ac
  guava make stream utf8 whole 600 0.02 <present
  same_bytes whole f
  same_answers f --key utf8 -- guava ask stream utf8 f
  bloomery convert --to guava-java,funnel=utf8 f object
  same_answers object --key utf8 -- guava ask object utf8 object
  guava make object utf8 whole.object 600 0.02 <present
  same_bytes whole.object object
}

# Guava makes no new filter with this strategy, but goes on with one that it reads.
@test "the older strategy: Guava goes on with a filter that we began" {
  draw long 500
  bloomery create --format guava-32 --bits 4001 -k 6 ours
  cp ours theirs
  guava add stream long theirs <present
  bloomery add --key i64le ours present
  [ "$(head -c 1 theirs | od -An -tu1 | tr -d ' ')" = 0 ]
  same_bytes theirs ours
  same_answers theirs --key i64le -- guava ask stream long ours
}

@test "the statistics that Guava computes" {
  local n name value
  for n in 1 50 3000; do
    draw int "$n"
    guava make stream int f 500 0.01 <present
    while read -r name value; do
      same_number "$value" "$(told "$name" info --json f)"
    done < <(guava tell stream int f </dev/null)
  done
}
