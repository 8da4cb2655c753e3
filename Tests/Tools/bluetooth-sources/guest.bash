# Runs in the virtual machine of Tests/Tools/bluetooth-kernel, as root on the host's files: prints a row per check.
#
# ROOT is the project, STAGE the folder with Bumble, SPHERO the command.
set -u
# shellcheck disable=SC2154
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1
address=C1:6E:04:5E:D9:11
cd /tmp || exit 1

row() { printf '%s | %s | %s\n' "$([ "$1" -eq 0 ] && echo ok || echo FAILS)" "$2" "$(tr '\n' ' ' <<<"$3" | cut -c1-200)"; }
# Runs a command as an ordinary user with a time limit, and stores its output, exit code and time.
as_user() {
  local start=$SECONDS
  output=$(timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups "$@" 2>&1)
  code=$?
  took=$((SECONDS - start))
}
# Passes if the exit code is $2 and the output matches $3.
expect() {
  local status=1
  if [ "$code" -eq "$2" ] && grep -qE "$3" <<<"$output"; then status=0; fi
  row $status "$1, $took s" "$output"
}

"$SPHERO" simulate --listen 4101 --name BB-D911 --seed 7 --quiet >/tmp/le.log 2>&1 </dev/null &
"$SPHERO" simulate --model ollie --listen 4102 --name 2B-1234 --seed 8 --quiet >/tmp/public.log 2>&1 </dev/null &
until [ -s /tmp/le.log ] && [ -s /tmp/public.log ]; do sleep 0.2; done
PYTHONPATH=$ROOT/Tests/Tools/bluetooth-sources "$STAGE/venv/bin/python" "$ROOT/Tests/Tools/bluetooth-sources/controller.py" 4101 4102 >/tmp/controller.log 2>&1 &
for _ in $(seq 120); do grep -q ready /tmp/controller.log && break; kill -0 $! || break; sleep 0.5; done
grep -q ready /tmp/controller.log || { echo "-- the controller failed: $(tail -n 3 /tmp/controller.log | tr '\n' ' ')"; }
sed 's/^/-- controller: /' /tmp/controller.log | head -n 5

as_user "$SPHERO" ping --count 1 --port 68:86:E7:00:12:34
expect "RFCOMM without a classic controller" 69 'no classic Bluetooth'

mkdir -p /run/dbus
dbus-daemon --system --fork
/usr/libexec/bluetooth/bluetoothd -n >/tmp/bluetoothd.log 2>&1 &
for _ in $(seq 40); do bluetoothctl show 2>/dev/null | grep -q Controller && break; sleep 0.5; done
bluetoothctl power on >/dev/null 2>&1
sleep 2

as_user bluetoothctl --timeout 5 scan le
as_user "$SPHERO" devices
expect "an ordinary user scans" 0 "ble:$address.*BB-D911"
as_user "$SPHERO" info --port "ble:$address"
expect "info by address" 0 'BB-D911'
as_user "$SPHERO" led red --port ble:BB-D911
expect "led by name" 0 '^$'
as_user "$SPHERO" stream --port "ble:$address" --mask accel,imu --hz 20 --for 10s --format csv
lines=$(grep -c '^[0-9]' <<<"$output")
# An emulated processor is slow, and slower beside other programs.
[ "$code" -eq 0 ] && [ "$lines" -ge 100 ]
row $? "stream at 20 Hz for 10 s" "$lines samples; $(grep samples <<<"$output" | tail -n 1)"
as_user "$SPHERO" doctor --port "ble:$address" --pings 5
expect "doctor" 0 'none damaged'
as_user "$SPHERO" roll 90 --for 500ms --port "ble:$address"
expect "roll" 0 ''

setpriv --reuid=65534 --regid=65534 --clear-groups "$SPHERO" stream --port "ble:$address" --for 8s >/tmp/stream.log 2>&1 &
sleep 3
as_user "$SPHERO" ping --count 1 --port "ble:$address"
expect "another sphero is connected" 69 'is held by sphero \(pid [0-9]+\)'
wait $!
row $? "the other sphero is undisturbed" "$(tail -n 1 /tmp/stream.log)"
setpriv --reuid=65534 --regid=65534 --clear-groups "$SPHERO" roll 0 --for 60s --port "ble:$address" >/tmp/roll.log 2>&1 &
sleep 5
as_user "$SPHERO" stop --port "ble:$address"
wait $!
[ $? -eq 130 ] || code=1
expect "stop ends a roll of another sphero" 0 ''
"$STAGE/venv/bin/python" "$ROOT/Tests/Tools/bluetooth-sources/holder.py" "$address" 8 >/tmp/holder.log 2>&1 &
for _ in $(seq 60); do grep -q . /tmp/holder.log && break; sleep 0.25; done
as_user "$SPHERO" ping --count 1 --port "ble:$address"
expect "another program is connected (EBUSY)" 69 'bluetoothctl disconnect'
as_user "$SPHERO" stop --port "ble:$address"
expect "stop leaves another program alone" 69 'bluetoothctl disconnect'
wait $!
row $? "the other program is undisturbed" "$(tail -n 1 /tmp/holder.log)"
# bluetoothd keeps the connection while its client runs.
{ echo "connect $address"; sleep 12; } | timeout 20 bluetoothctl >/tmp/connect.log 2>&1 &
for _ in $(seq 40); do grep -q successful /tmp/connect.log && break; sleep 0.25; done
sleep 1
as_user "$SPHERO" ping --count 1 --port "ble:$address"
# The kernel shares the connection unless bluetoothd uses the attribute channel.
if [ "$code" -eq 0 ]; then row 0 "bluetoothd is connected: the connection is shared" "$output"; else
  expect "bluetoothd is connected (EBUSY)" 69 "bluetoothctl disconnect $address"
fi
echo "-- bluetoothctl: $(bluetoothctl info "$address" | grep Connected)"
timeout 20 bluetoothctl disconnect "$address" >/dev/null 2>&1
sleep 1
as_user "$SPHERO" ping --count 1 --port "ble:$address"
expect "after bluetoothctl disconnect" 0 ''
as_user "$SPHERO" info --port ble:C4:BE:84:00:12:34
[ "$took" -ge 7 ] || code=1
expect "a robot with the less likely type of address" 0 'Ollie'
as_user "$SPHERO" ping --count 1 --port ble:C2:00:00:00:00:01
[ "$took" -le 20 ] || code=1
expect "an absent robot, both types of address" 69 'ble:C2:00:00:00:00:01'
as_user "$SPHERO" ping --count 1 --port ble:BB-0000
expect "an unknown name" 69 'no robot with this name'

bluetoothctl power off >/dev/null 2>&1
as_user "$SPHERO" ping --count 1 --port "ble:$address"
expect "an adapter that is off" 69 'Make sure that Bluetooth or the network is on'
echo "-- controller: $(tail -n 2 /tmp/controller.log | tr '\n' ' ')"
echo "all rows"
