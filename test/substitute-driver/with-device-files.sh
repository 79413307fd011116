#!/bin/sh
# with-device-files.sh FILES COMMAND…: runs the command where /dev has only the common files and FILES (names separated by spaces, such as
# "nvidiactl nvidia0 dri/renderD128"), which open like /dev/null. Programs look for them before they open a driver, and the engine's sandbox gives
# the rights of the driver where they are.
files=$1
shift
if [ "$(id -u)" != 0 ] && [ -z "$FRAMEWRIGHT_OWN_DEV" ]; then
  FRAMEWRIGHT_OWN_DEV=1 exec unshare --map-root-user --mount sh "$0" "$files" "$@"
elif [ -z "$FRAMEWRIGHT_OWN_DEV" ]; then
  FRAMEWRIGHT_OWN_DEV=1 exec unshare --mount sh "$0" "$files" "$@"
fi
unset FRAMEWRIGHT_OWN_DEV
dev=/mnt
mount -t tmpfs tmpfs $dev || exit 1
for file in null zero full random urandom tty; do
  touch $dev/$file && mount --bind /dev/$file $dev/$file || exit 1
done
ln -s /proc/self/fd $dev/fd && mkdir -m 1777 $dev/shm || exit 1
for file in $files; do
  mkdir -p "$(dirname "$dev/$file")" && touch "$dev/$file" && mount --bind /dev/null "$dev/$file" || exit 1
done
mount --rbind $dev /dev && exec "$@"
