10 A = 0
20 for B = 1 to 4
30 A = A + B * B
40 if B > 2 then print "big ", B else print "small ", B
50 gosub 200
60 next B
70 data 5, -6, 7
80 read C, D
90 print A, C, D, sqrt 81, abs -4, 7 % 4, 6 & 3, 1 { 4
100 on 2 goto 10, 120, 10
110 print "never"
120 print Vbatt, speed
130 print 1 / 0
140 end
200 print "sub"
210 return
