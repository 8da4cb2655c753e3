# Functions shared by Tests/Tools/recipes and Tests/Tools/fleet: extracting blocks of a page, finding programs, reporting rows.

# The caller sets `root`.
# shellcheck disable=SC2154
pages=("$root/Docs/Data.md" "$root/Docs/Control.md")
rows=0
failures=0

# Prints the block after `<!-- recipe: $1 -->`, without its fences.
block() {
  local text
  text=$(awk -v mark="<!-- recipe: $1 -->" '
    $0 == mark { wanted = 1; next }
    wanted && /^```/ { if (inside) exit; inside = 1; next }
    inside { print }' "${pages[@]}")
  if [ -z "$text" ]; then
    echo "${pages[*]} have no block after <!-- recipe: $1 -->" >&2
    return 1
  fi
  printf '%s\n' "$text"
}

# Prints a row: result | check, $2 | measured, $3. $1 is the exit status of the check;
# pass it first, as in `row $?`, because a later `$(…)` changes $?.
row() {
  rows=$((rows + 1))
  [ "$1" -eq 0 ] || failures=$((failures + 1))
  printf '%s | %s | %s\n' "$([ "$1" -eq 0 ] && echo ok || echo FAILS)" "$2" "$3"
}

# Succeeds if all programs $2... are installed; otherwise prints that $1 is skipped.
have() {
  local name=$1 program
  shift
  for program; do
    if ! command -v "$program" >/dev/null; then
      echo "skipped: $name, because there is no $program"
      return 1
    fi
  done
}

# Succeeds if $1 is a number from $2 to $3.
between() {
  awk -v value="$1" -v low="$2" -v high="$3" \
    'BEGIN { exit !(value ~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/ && value + 0 >= low && value + 0 <= high) }'
}

# Runs a command ten times per second until it succeeds; fails after about $1 seconds.
within() {
  local end=$((SECONDS + $1 + 1))
  shift
  while ! "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# Prints the number of rows, and exits with 1 if a row failed or no row was printed.
conclude() {
  if [ "$failures" -gt 0 ] || [ "$rows" -eq 0 ]; then
    echo "$failures of $rows rows failed" >&2
    exit 1
  fi
  echo "all $rows rows passed"
}
