// The requests of third-party clients, by their sources, and the beginnings of the expected responses.

/// The calls of thirteen clients: a line for each, `call | bytes sent | answer`.
///
/// `-` is not an answer at once; an answer that ends with `..` has further bytes, as many as its DLEN says.
enum ClientBytes {
  static let clients: [(name: String, calls: String)] = [
    (
      "sphero.js",
      """
      ping | FF FD 00 01 00 01 FD | FF FF 00 00 01 FE
      version | FF FD 00 02 01 01 FB | FF FF 00 01 09 01 03 01 03 49 33 ..
      controlUARTTx | FF FD 00 03 02 01 F9 | FF FF 06 02 01 F6
      setDeviceName | FF FD 00 10 03 06 72 6F 73 63 6F C0 | FF FF 00 03 01 FB
      getBluetoothInfo | FF FD 00 11 04 01 E9 | FF FF 00 04 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      setAutoReconnect | FF FD 00 12 05 03 01 14 D0 | FF FF 00 05 01 F9
      getAutoReconnect | FF FD 00 13 06 01 E5 | FF FF 00 06 03 ..
      getPowerState | FF FD 00 20 07 01 D7 | FF FF 00 07 09 01 02 ..
      setPowerNotification | FF FD 00 21 08 02 01 D3 | FF FF 00 08 01 F6
      getVoltageTripPoints | FF FD 00 23 09 01 D2 | FF FF 00 09 05 02 BC 02 8A A7
      setVoltageTripPoints | FF FD 00 24 0A 05 02 A8 02 71 AF | FF FF 00 0A 01 F4
      setInactivityTimeout | FF FD 00 25 0B 03 00 78 54 | FF FF 00 0B 01 F3
      runL1Diags | FF FD 00 40 0C 01 B2 | FF FF 00 0C 01 F2
      runL2Diags | FF FD 00 41 0D 01 B0 | FF FF 04 0D 01 ED
      clearCounters | FF FD 00 42 0E 01 AE | FF FF 05 0E 01 EB
      assignTime | FF FD 00 50 0F 05 00 00 31 FF 6B | FF FF 00 0F 01 EF
      pollPacketTimes | FF FD 00 51 10 05 00 00 31 FF 69 | FF FF 00 10 0D 00 00 31 FF ..
      setHeading | FF FD 02 01 11 03 00 B4 34 | FF FF 00 11 01 ED
      setStabilization | FF FD 02 02 12 02 01 E6 | FF FF 00 12 01 EC
      setRotationRate | FF FD 02 03 13 02 B4 31 | FF FF 00 13 01 EB
      getChassisId | FF FD 02 07 14 01 E1 | FF FF 00 14 03 ..
      setChassisId | FF FD 02 07 15 03 12 34 98 | FF FF 06 15 01 E3
      selfLevel | FF FD 02 09 16 05 01 00 00 00 D8 | FF FF 00 16 01 E8
      setDataStreaming | FF FD 02 11 17 0E 00 28 00 01 00 00 E0 00 00 0D 80 00 00 31 | FF FF 00 17 01 E7
      configureCollisions | FF FD 02 12 18 07 01 40 50 40 50 50 5B | FF FF 00 18 01 E6
      configureLocator | FF FD 02 13 19 08 01 00 00 00 00 00 00 C8 | FF FF 00 19 01 E5
      setAccelRange | FF FD 02 14 1A 02 02 CB | FF FF 00 1A 01 E4
      readLocator | FF FD 02 15 1B 01 CC | FF FF 00 1B 0B 00 00 00 00 00 00 00 00 00 00 D9
      setRgbLed | FF FD 02 20 1C 05 00 00 FF 01 BC | FF FF 00 1C 01 E2
      setBackLed | FF FD 02 21 1D 02 FF BE | FF FF 00 1D 01 E1
      getRgbLed | FF FD 02 22 1E 01 BC | FF FF 00 1E 04 ..
      roll | FF FD 02 30 1F 05 64 00 00 01 44 | FF FF 00 1F 01 DF
      boost | FF FD 02 31 20 02 01 A9 | FF FF 00 20 01 DE
      setRawMotors | FF FD 02 33 21 05 01 32 02 32 3D | FF FF 00 21 01 DD
      setMotionTimeout | FF FD 02 34 22 03 0F A0 F5 | FF FF 00 22 01 DC
      setPermOptionFlags | FF FD 02 35 23 05 00 00 00 02 9E | FF FF 00 23 01 DB
      getPermOptionFlags | FF FD 02 36 24 01 A2 | FF FF 00 24 05 ..
      setTempOptionFlags | FF FD 02 37 25 05 00 00 00 01 9B | FF FF 00 25 01 D9
      getTempOptionFlags | FF FD 02 38 26 01 9E | FF FF 00 26 05 00 00 00 00 D4
      getConfigBlock | FF FD 02 40 27 02 00 94 | FF FF 00 27 01 D7
      setDeviceMode | FF FD 02 42 28 02 00 91 | FF FF 00 28 01 D6
      getDeviceMode | FF FD 02 44 29 01 8F | FF FF 00 29 02 00 D4
      getSSB | FF FD 02 46 2A 01 8C | FF FF 00 2A 01 D4
      refillBank | FF FD 02 48 2B 02 00 88 | FF FF 00 2B 05 ..
      buyConsumable | FF FD 02 49 2C 03 00 01 84 | FF FF 00 2C 06 ..
      useConsumable | FF FD 02 4A 2D 02 00 84 | FF FF 08 2D 01 C9
      grantCores | FF FD 02 4B 2E 0A 00 00 00 00 00 00 00 05 01 74 | FF FF 0B 2E 01 C5
      addXp | FF FD 02 4C 2F 06 00 00 00 00 05 77 | FF FF 0B 2F 01 C4
      levelUpAttr | FF FD 02 4D 30 06 00 00 00 00 00 7A | FF FF 0B 30 01 C3
      getPasswordSeed | FF FD 02 4E 31 01 7D | FF FF 00 31 05 ..
      enableSSBAsyncMsg | FF FD 02 4F 32 02 01 79 | FF FF 00 32 01 CC
      saveTempMacro | FF FD 02 51 33 09 FF 00 07 FF 00 00 00 00 6B | FF FF 00 33 01 CB
      saveMacro | FF FD 02 52 34 09 20 00 07 FF 00 00 00 00 48 | FF FF 00 34 01 CA
      reInitMacroExec | FF FD 02 54 35 01 73 | FF FF 00 35 01 C9
      abortMacro | FF FD 02 55 36 01 71 | FF FF 00 36 04 00 00 00 C5
      getMacroStatus | FF FD 02 56 37 01 6F | FF FF 00 37 04 00 00 00 C4
      setMacroParam | FF FD 02 57 38 04 02 F0 00 78 | FF FF 00 38 01 C6
      appendMacroChunk | FF FD 02 58 39 09 FF 00 07 00 FF 00 00 00 5E | FF FF 00 39 01 C5
      eraseOrbBasicStorage | FF FD 02 60 3A 02 00 61 | FF FF 00 3A 01 C4
      appendOrbBasicFragment | FF FD 02 61 3B 09 00 31 30 20 65 6E 64 0A 96 | FF FF 00 3B 01 C3
      executeOrbBasicProgram | FF FD 02 62 3C 04 00 00 0A 51 | FF FF 00 3C 01 C2
      abortOrbBasicProgram | FF FD 02 63 3D 01 5C | FF FF 00 3D 01 C1
      submitValueToInput | FF FD 02 64 3E 05 00 00 00 0A 4C | FF FF 00 3E 01 C0
      commitToFlash | FF FD 02 65 3F 01 58 | FF FF 00 3F 01 BF
      _commitToFlashAlias | FF FD 02 70 40 01 4C | FF FF 00 40 01 BE
      jumpToBootloader | FF FD 00 30 41 01 8D | FF FF 00 41 01 BD
      sleep | FF FD 00 22 42 06 00 0A 00 00 00 8B | FF FF 00 42 01 BC
      """
    ),
    (
      "spheron",
      """
      ping, as it comes | FF FC 00 01 00 01 FD | -
      ping, acknowledged | FF FD 00 01 00 01 FD | FF FF 00 00 01 FE
      ping, both | FF FF 00 01 00 01 FD | FF FF 00 00 01 FE
      _controlUARTTxLine | FF FD 00 03 00 02 01 F9 | FF FF 00 00 01 FE
      _setVoltageTripPoints | FF FD 00 24 00 05 02 D0 02 80 82 | FF FF 00 00 01 FE
      assignTimeValue | FF FD 00 23 00 05 00 00 00 01 D6 | FF FF 06 00 01 F8
      setApplicationConfigurationBlock | FF FD 02 04 00 21 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 F8 | FF FF 00 00 01 FE
      getApplicationConfigurationBlock | FF FD 02 05 00 01 F7 | FF FF 04 00 01 FA
      _setChassisID | FF FD 02 08 00 03 00 09 E9 | FF FF 00 00 01 FE
      setDataStreaming, one mask | FF FD 02 11 00 0A 00 28 00 01 00 00 E0 00 00 D9 | FF FF 00 00 01 FE
      configureCollisionDetection | FF FD 02 12 00 07 01 64 64 32 32 64 53 | FF FF 00 00 01 FE
      setBoostWithTime | FF FD 02 31 00 04 0A 00 5A 64 | FF FF 00 00 01 FE
      setMacroParameter | FF FD 02 57 00 04 00 01 F4 AD | FF FF 00 00 01 FE
      setRGB | FF FD 02 20 00 05 FF 00 00 00 D9 | FF FF 00 00 01 FE
      sleep | FF FD 00 22 00 06 00 00 00 00 00 D7 | FF FF 00 00 01 FE
      """
    ),
    (
      "gobot",
      """
      ConfigureCollisionDetection | FF FF 02 12 00 07 01 80 80 80 80 60 83 | FF FF 00 00 01 FE
      enableStopOnDisconnect | FF FF 02 37 00 05 00 00 00 01 C0 | FF FF 00 00 01 FE
      SetDataStreaming | FF FF 02 11 00 0E 00 0A 00 01 FF FF FF FF 00 FF FF FF FF DB | FF FF 00 00 01 FE
      SetRGB | FF FF 02 20 03 05 01 02 03 01 CE | FF FF 00 03 01 FB
      GetRGB | FF FF 02 22 04 01 D6 | FF FF 00 04 04 ..
      ReadLocator | FF FF 02 15 05 01 E2 | FF FF 00 05 0B 00 00 00 00 00 00 00 00 00 00 EF
      ConfigureLocator | FF FF 02 13 06 08 01 00 00 00 00 00 00 DB | FF FF 00 06 01 F8
      SetHeading | FF FF 02 01 07 03 00 2D C5 | FF FF 00 07 01 F7
      Roll | FF FF 02 30 08 05 50 01 0E 01 60 | FF FF 00 08 01 F6
      SetStabilization | FF FF 02 02 09 02 00 F0 | FF FF 00 09 01 F5
      SetBackLED | FF FF 02 21 0A 02 C8 08 | FF FF 00 0A 01 F4
      SetRotationRate | FF FF 02 03 0B 02 32 BB | FF FF 00 0B 01 F3
      """
    ),
    (
      "sphero.rb",
      """
      ping | FF FF 00 01 00 01 FD | FF FF 00 00 01 FE
      version | FF FF 00 02 01 01 FB | FF FF 00 01 09 01 03 01 03 49 33 ..
      bluetooth_info | FF FF 00 11 02 01 EB | FF FF 00 02 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      user_led | FF FF 02 22 03 01 D7 | FF FF 00 03 04 ..
      disable_auto_reconnect | FF FF 00 12 04 03 00 00 E6 | FF FF 00 04 01 FA
      auto_reconnect | FF FF 00 13 05 01 E6 | FF FF 00 05 03 ..
      power_state | FF FF 00 20 06 01 D8 | FF FF 00 06 09 01 02 ..
      roll | FF FF 02 30 07 05 64 00 5A 01 02 | FF FF 00 07 01 F7
      stop | FF FF 02 30 08 05 00 00 00 01 BF | FF FF 00 08 01 F6
      heading= | FF FF 02 01 09 03 00 5A 96 | FF FF 00 09 01 F5
      stabilization= | FF FF 02 02 0A 02 01 EE | FF FF 00 0A 01 F4
      rgb | FF FF 02 20 0B 05 00 FF 00 00 CE | FF FF 00 0B 01 F3
      back_led_output= | FF FF 02 21 0C 02 FF CF | FF FF 00 0C 01 F2
      rotation_rate= | FF FF 02 03 0D 02 C8 23 | FF FF 00 0D 01 F1
      set_power_notification | FF FF 00 21 0E 02 01 CD | FF FF 00 0E 01 F0
      set_data_streaming | FF FF 02 12 0F 0E 00 28 00 01 00 00 E0 00 00 00 00 00 00 C5 | FF FF 06 0F 01 E9
      configure_collision_detection | FF FF 02 12 10 07 01 7D 7D 64 64 64 AD | FF FF 00 10 01 EE
      sphero_sleep | FF FF 00 22 11 04 00 00 00 C8 | FF FF 00 11 01 ED
      """
    ),
    (
      "sphero_pwn",
      """
      Ping | FF FF 00 01 01 01 FC | FF FF 00 01 01 FD
      GetVersions | FF FF 00 02 02 01 FA | FF FF 00 02 09 01 03 01 03 49 33 ..
      GetPermanentFlags | FF FF 02 36 03 01 C3 | FF FF 00 03 05 ..
      SetPermanentFlags | FF FF 02 35 04 05 00 00 01 12 AC | FF FF 00 04 01 FA
      GetDeviceMode | FF FF 02 44 05 01 B3 | FF FF 00 05 02 00 F8
      SetDeviceMode | FF FF 02 42 06 02 01 B2 | FF FF 00 06 01 F8
      GetFlashBlock, soul | FF FF 02 46 07 01 AF | FF FF 00 07 01 F7
      GetFlashBlock, factory | FF FF 02 40 08 02 00 B3 | FF FF 00 08 01 F6
      GetFlashBlock, user | FF FF 02 40 09 02 01 B1 | FF FF 00 09 01 F5
      L1Diagnostics | FF FF 00 40 0A 01 B4 | FF FF 00 0A 01 F4
      L2Diagnostics | FF FF 00 41 0B 01 B2 | FF FF 04 0B 01 EF
      EnterBootloader | FF FF 00 30 0C 01 C2 | FF FF 00 0C 01 F2
      """
    ),
    (
      "sphero_ros",
      """
      ping | FF FF 00 01 01 01 FC | FF FF 00 01 01 FD
      ping, no response | FF FE 00 01 02 01 FB | -
      go_to_sleep | FF FF 00 22 03 04 00 00 00 D6 | FF FF 00 03 01 FB
      set_all_data_strm | FF FF 02 11 04 0E 00 28 00 01 FF E7 FF E7 00 FF 80 00 00 66 | FF FF 00 04 01 FA
      set_raw_data_strm | FF FE 02 11 05 0E 00 28 00 01 FF E0 00 00 00 FF 80 00 00 52 | -
      config_collision_detect | FF FF 02 12 06 07 01 2D 6E 2D 6E 28 7F | FF FF 00 06 01 F8
      boost | FF FF 02 31 07 04 05 00 5A 62 | FF FF 00 07 01 F7
      roll | FF FF 02 30 08 05 3C 00 B4 01 CF | FF FF 00 08 01 F6
      get_auto_reconnect | FF FF 00 13 09 01 E2 | FF FF 00 09 03 ..
      assign_counter_value | FF FF 00 50 0A 05 00 00 00 09 97 | FF FF 00 0A 01 F4
      """
    ),
    (
      "spheropy",
      """
      ping | FF FF 00 01 01 01 FC | FF FF 00 01 01 FD
      get_versioning | FF FF 00 02 02 01 FA | FF FF 00 02 09 01 03 01 03 49 33 ..
      set_device_name | FF FE 00 10 00 0B 53 70 68 65 72 6F 2D 41 42 43 80 | -
      get_bluetooth_info | FF FF 00 11 03 01 EA | FF FF 00 03 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      get_voltage_trip_points | FF FF 00 23 04 01 D7 | FF FF 00 04 05 02 BC 02 8A AC
      set_inactivity_timeout | FF FE 00 25 00 03 02 58 7D | -
      poll_packet_times | FF FF 00 51 05 05 01 02 03 04 9A | FF FF 00 05 0D 01 02 03 04 ..
      get_chassis_id | FF FF 02 07 06 01 EF | FF FF 00 06 03 ..
      boost | FF FF 02 31 07 02 01 C2 | FF FF 00 07 01 F7
      set_permanent_options | FF FF 02 35 08 09 00 00 00 00 00 00 00 02 B5 | FF FF 06 08 01 F0
      set_stop_on_disconnect | FF FE 02 37 00 05 00 00 00 01 C0 | -
      roll, fast | FF FE 02 30 00 05 00 00 5A 02 6C | -
      L1_diag | FF FE 00 40 00 01 BE | -
      sleep | FF FF 00 22 09 06 00 05 00 00 00 C9 | FF FF 00 09 01 F5
      """
    ),
    (
      "SpheroPy",
      """
      ping, no answer, no reset | FF FC 00 01 00 01 FD | -
      get_auto_reconnect | FF FF 00 13 01 01 EA | FF FF 00 01 03 ..
      self_level | FF FF 02 09 02 05 01 00 00 00 EC | FF FF 00 02 01 FC
      configure_locator | FF FF 02 13 03 08 80 64 00 9C FF 00 00 60 | FF FF 00 03 01 FB
      get_locator_info | FF FF 02 15 04 01 E3 | FF FF 00 04 0B 00 00 00 00 00 00 00 00 00 00 F0
      configure_collision_detection | FF FF 02 12 05 07 01 32 32 32 32 0A 0C | FF FF 00 05 01 F9
      roll, in place | FF FF 02 30 06 05 00 00 5A 01 67 | FF FF 00 06 01 F8
      """
    ),
    (
      "Kulka",
      """
      set_inactivity_timeout | FF FF 00 25 01 03 02 58 7C | FF FF 00 01 01 FD
      set_rgb | FF FF 02 20 02 05 01 02 03 00 D0 | FF FF 00 02 01 FC
      roll | FF FF 02 30 03 05 32 01 0E 01 83 | FF FF 00 03 01 FB
      set_back_led | FF FF 02 21 04 02 09 CD | FF FF 00 04 01 FA
      sleep | FF FF 00 22 05 06 00 00 00 00 00 D2 | FF FF 00 05 01 F9
      """
    ),
    (
      "faulkner",
      """
      set_rgb | FF FF 02 20 00 05 01 02 03 01 D1 | FF FF 00 00 01 FE
      get_rgb | FF FF 02 22 01 01 D9 | FF FF 00 01 04 ..
      set_device_name | FF FF 00 10 02 0B 53 70 68 65 72 6F 2D 41 42 43 7E | FF FF 00 02 01 FC
      get_bluetooth_info | FF FF 00 11 03 01 EA | FF FF 00 03 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      set_rotation_rate | FF FF 02 03 04 02 C8 2C | FF FF 00 04 01 FA
      sleep | FF FF 00 22 05 06 00 00 00 00 00 D2 | FF FF 00 05 01 F9
      """
    ),
    (
      "spherov2",
      """
      get_versions | FF FF 00 02 00 01 FC | FF FF 00 00 09 01 03 01 03 49 33 ..
      set_bluetooth_name | FF FF 00 10 01 0C 53 70 68 65 72 6F 2D 41 42 43 00 7E | FF FF 00 01 01 FD
      get_charger_state | FF FF 00 26 02 01 D6 | FF FF 00 02 02 00 FB
      get_factory_config_block_crc | FF FF 00 27 03 01 D4 | FF FF 00 03 05 ..
      get_temperature | FF FF 02 16 04 01 E2 | FF FF 00 04 03 ..
      set_main_led | FF FF 02 20 05 04 01 02 03 CE | FF FF 00 05 01 F9
      roll | FF FF 02 30 06 06 64 00 5A 01 00 02 | FF FF 00 06 01 F8
      roll, reversed | FF FF 02 30 07 06 64 01 0E 01 01 4B | FF FF 00 07 01 F7
      drive_control.set_heading | FF FF 02 30 08 06 00 00 5A 02 00 63 | FF FF 00 08 01 F6
      boost | FF FF 02 31 09 04 01 00 00 BE | FF FF 00 09 01 F5
      set_data_streaming | FF FF 02 11 0A 0E 00 14 00 01 00 07 FC 00 00 FD C0 00 00 FF | FF FF 00 0A 01 F4
      set_data_streaming, off | FF FF 02 11 0B 0E 00 64 00 01 00 00 00 00 00 00 00 00 00 6E | FF FF 00 0B 01 F3
      configure_collision_detection | FF FF 02 12 0C 07 01 32 32 32 32 0A 05 | FF FF 00 0C 01 F2
      get_sku | FF FF 02 3A 0D 01 B5 | FF FF 00 0D 05 ..
      set_persistent_options | FF FF 02 35 0E 05 00 00 00 12 A3 | FF FF 00 0E 01 F0
      self_level | FF FF 02 09 0F 05 0B 03 05 0A C3 | FF FF 00 0F 01 EF
      sleep | FF FF 00 22 10 06 00 00 00 00 00 C7 | FF FF 00 10 01 EE
      """
    ),
    (
      "linux-api",
      """
      connect | FF FE 02 11 00 0E 00 01 00 01 00 00 00 00 00 0F 80 00 00 4D | -
      ping | FF FF 00 01 00 01 FD | FF FF 00 00 01 FE
      getColor | FF FF 02 22 00 01 DA | FF FF 00 00 04 ..
      getBTInfo | FF FF 00 11 01 01 EC | FF FF 00 01 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      setSelfLevel | FF FE 02 09 00 05 01 00 00 00 EE | -
      enableCollisionDetection | FF FE 02 12 00 07 01 5A 1E 5A 1E 5A 99 | -
      disableCollisionDetection | FF FE 02 12 00 07 00 00 00 00 00 00 E4 | -
      configureLocator | FF FE 02 13 00 08 00 00 00 00 00 00 00 E2 | -
      sleep | FF FE 00 22 00 06 00 00 00 00 00 D7 | -
      """
    ),
    (
      "desktop-api",
      """
      connect, abort macro | FF FF 02 55 00 01 A7 | FF FF 00 00 04 00 00 00 FB
      connect, roll | FF FF 02 30 01 05 00 00 00 01 C6 | FF FF 00 01 01 FD
      connect, calibrate | FF FF 02 01 02 03 00 00 F7 | FF FF 00 02 01 FC
      connect, front LED | FF FF 02 21 03 02 00 D7 | FF FF 00 03 01 FB
      getBluetoothInfo | FF FF 00 11 04 01 E9 | FF FF 00 04 21 53 70 68 65 72 6F 2D 53 49 4D 00 00 00 00 00 00 36 38 38 36 45 37 30 30 31 32 33 34 00 52 47 42 ..
      SetRobotName | FF FF 00 10 05 0B 53 70 68 65 72 6F 2D 41 42 43 7B | FF FF 00 05 01 F9
      GetConfigurationBlock | FF FF 02 40 06 02 01 B4 | FF FF 00 06 01 F8
      Level1Diagnostics | FF FF 00 40 07 01 B7 | FF FF 00 07 01 F7
      Versioning | FF FF 00 02 08 01 F4 | FF FF 00 08 09 01 03 01 03 49 33 ..
      RotationRate | FF FF 02 03 09 02 80 6F | FF FF 00 09 01 F5
      SpinLeft | FF FF 02 33 0A 05 01 64 02 64 F0 | FF FF 00 0A 01 F4
      SpinRight | FF FF 02 33 0B 05 02 64 01 64 EF | FF FF 00 0B 01 F3
      SaveTemporaryMacro | FF FF 02 51 0C 06 FF 01 15 01 00 84 | FF FF 00 0C 01 F2
      SaveMacro | FF FF 02 52 0D 06 21 00 15 01 00 61 | FF FF 00 0D 01 F1
      SetDataStreaming | FF FF 02 11 0E 0A 00 28 00 01 00 00 E0 00 00 CB | FF FF 00 0E 01 F0
      CollisionDetection | FF FF 02 12 0F 07 01 40 40 50 50 60 54 | FF FF 00 0F 01 EF
      JumpToBootloader | FF FF 00 30 10 01 BE | FF FF 00 10 01 EE
      Sleep | FF FF 00 22 11 04 00 00 00 C8 | FF FF 00 11 01 ED
      """
    ),
  ]
}
