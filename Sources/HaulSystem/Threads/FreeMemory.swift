internal import CHaulSystem

/// Memory that the program does not use at present.
public enum FreeMemory {
  /// Gives it back to the system, where the system has such a call; after work that took much of it for a
  /// moment. It takes some milliseconds.
  public static func giveBack() { haul_give_back_free_memory() }
}
