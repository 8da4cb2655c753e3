// The target has no declarations: it acts when the tests are loaded.
