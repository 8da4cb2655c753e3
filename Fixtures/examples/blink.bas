10 for A = 1 to 3
20 RGB 255, 136, 0
30 delay 200
40 RGB 0, 0, 0
50 delay 200
60 next A
70 print "done"
80 end
