# The newest Hadoop and Spark, by the names of their packages: Debian has neither.
load helper
packages() { echo 'Maven and a JDK, and BLOOMERY_LIVE=newest'; }
original() { newest && command -v javac && command -v mvn; }
build() {
  cd "$BATS_FILE_TMPDIR" || return 1
  cat >pom.xml <<'END'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>live</groupId><artifactId>live</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-common</artifactId><version>RELEASE</version></dependency>
    <dependency><groupId>org.apache.spark</groupId><artifactId>spark-sketch_2.13</artifactId><version>RELEASE</version></dependency>
  </dependencies>
</project>
END
  mvn -q -B dependency:build-classpath -Dmdep.outputFile=jars
  javac -cp "$(<jars)" -d . "$BATS_TEST_DIRNAME/Stores.java"
}

stores() {
  java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(<"$BATS_FILE_TMPDIR/jars"):$BATS_FILE_TMPDIR" Stores "$@" 2>warnings
}

# draw_some N: keys that are not empty, which Hadoop has no place for
draw_some() {
  draw hex "$1" "$1"
  sed -i '/^$/d' present asked
}

# same KIND FORMAT: `theirs` and `ours` are one, and answer as one
same() {
  same_bytes theirs ours
  same_answers theirs --key hex --format "$2" -- stores ask "$1" ours
}

# of_hadoop KIND FORMAT TYPE BITS HASHES N
of_hadoop() {
  draw_some "$6"
  stores make "$1" theirs "$3" "$4" "$5" <present
  bloomery create --force --format "$2,hash-type=$3" --bits "$4" -k "$5" ours
  bloomery add --format "$2" --key hex ours present
  same "$1" "$2"
}

# of_spark FORMAT VERSION N BITS SEED
of_spark() {
  draw_some "$3"
  stores make spark theirs "$2" "$3" "$4" "$5" <present
  bloomery create --force --format "$1,items=$3,seed=$5" --bits "$4" ours
  bloomery add --format "$1" --key hex ours present
  same spark "$1"
}

@test "the same filters and answers as Hadoop's" {
  of_hadoop hadoop hadoop 0 1000 5 100
  of_hadoop hadoop hadoop 1 10007 13 400
  of_hadoop hadoop hadoop 1 65 200 7
  of_hadoop counting hadoop-counting 1 3000 4 300
}

@test "the same filters and answers as Spark's" {
  of_spark spark 1 300 3000 0
  of_spark spark-2 2 1000 9600 -77
  of_spark spark-2 2 50 640 2147483647
}
