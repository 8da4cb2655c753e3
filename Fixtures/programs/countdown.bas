10 ' Counts down, blinks, and tells the voltage of its battery.
20 for A = 3 to 1 step 0-1
30 print "in ", A
40 RGB 85 * A, 0, 0
50 delay 300
60 next A
70 RGB 0, 255, 0
80 print "battery ", Vbatt
90 end
