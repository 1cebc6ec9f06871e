#!/bin/sh
# Copies the database, but not secret.key, to a folder. Keeps the copies from the last seven days on which it ran.
set -eu
umask 077
folder=${1:-/var/backups/remote-browser-service}
mkdir -p "$folder"
cd "$folder"
remote-browser-service backup >unfinished
mv unfinished "$(date +%F).sqlite"
find . -name '????-??-??.sqlite' | sort --reverse | tail -n +8 | xargs --no-run-if-empty rm --
