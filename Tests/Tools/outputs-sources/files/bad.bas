10 print "a
20 goto 99
30 fly 1
