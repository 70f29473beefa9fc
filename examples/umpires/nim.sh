#!/bin/sh
# Nim for two: take 1, 2 or 3 of a heap; whoever takes the last one wins. An umpire in a shell.
# It reads JSON by cutting it. That is enough here: gyoji writes it without blanks, in a fixed order.

read -r begin
case $begin in
    *'"heap":'*) heap=${begin##*\"heap\":} heap=${heap%%[,\}]*} ;;
    *) heap=21 ;;
esac

seat=0
while [ "$heap" -gt 0 ]; do
    printf '{"picture":{"text":"%s left"}}\n' "$heap"
    printf '{"ask":[{"seat":%s,"say":"%s","choices":["1","2","3"]}]}\n' "$seat" "$heap"
    read -r answer
    took=${answer##*\"say\":\"} took=${took%%\"*}
    case $took in
        [123]) ;;
        *) took=99 ;;  # no number, too many, or a seat that failed
    esac
    if [ "$took" -gt "$heap" ]; then
        reason="no 1, 2 or 3, or more than $heap"
        printf '{"end":{"points":[%s,%s],"reason":"%s","ending":"illegal move","seat":%s}}\n' \
            "$seat" "$((1 - seat))" "$reason" "$seat"
        read -r stop
        exit
    fi
    printf '{"move":{"seat":%s,"text":"takes %s"}}\n' "$seat" "$took"
    heap=$((heap - took)) seat=$((1 - seat))
done
printf '{"end":{"points":[%s,%s],"reason":"took the last"}}\n' "$seat" "$((1 - seat))"
read -r stop
