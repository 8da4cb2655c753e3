# Functions that the lines of Tests/Tools/outputs-sources/list may call in addition to sphero.

# Prints the commands that `sphero ARGUMENTS...` sends, without sequence numbers and checksums; omits pings, which depend on timing.
sent() {
  sphero "$@" -v 2>wire
  local status=$?
  sed -n '/^> /!d; / Core\.Ping/d; s/^> [0-9A-F ]*  //; s/ seq [0-9]*//p' wire
  return $status
}

# served 'SERVER ARGUMENTS' ARGUMENTS...: runs `sphero ARGUMENTS...` with the robot that `sphero SERVER ARGUMENTS` serves.
served() {
  local words server status
  read -ra words <<<"$1"
  shift
  sphero "${words[@]}" --link robot >server.out 2>server.err </dev/null &
  server=$!
  until [ -e robot ] || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
  sphero "$@" --port robot
  status=$?
  kill -INT $server
  wait $server
  echo "server: $?"
  return $status
}

# Prints the capture NAME without timestamps.
untimed() { sed -E 's/^[0-9]+\.[0-9]+ //; s/start=[^ ]* //; s/^#: [0-9.]+ /#: /' "$1"; }
