#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DiskError {
  /// What was tried, on what, why it failed, and what to do about it.
  public var sentence: String {
    "Cannot \(deed) \u{201C}\(path)\u{201D}: \(cause)"
  }

  /// The call in plain words.
  private var deed: String {
    switch call {
    case "open", "opendir": "open"
    case "mkdir": "make the folder"
    case "pread", "readdir": "read"
    case "pwrite", "write": "write to"
    case "fdatasync", "fsync": "make durable"
    case "ftruncate": "set the length of"
    case "fallocate": "reserve room for"
    case "futimens": "set the time of"
    case "fchmod": "set the permissions of"
    case "rename", "link": "give a file its name"
    case "unlink": "remove"
    case "flock", "fcntl": "lock"
    default: "examine"
    }
  }

  private var cause: String {
    switch errno {
    case ENOSPC: "the volume is full. Free some space and run it again."
    case EDQUOT: "your quota is used up. Free some space and run it again."
    case EFBIG: "the file system cannot hold a file of this size. Choose another folder."
    case EACCES, EPERM: "permission is missing. Choose another folder or change its permissions."
    case EILSEQ:
      "it is a terminal, and this is no text. Use -o FILE to keep it, or | cat to see it all the same."
    case EROFS: "the volume is read-only. Choose another folder."
    case ENOENT: "it is not there any more, or its folder is missing. Make the folder again."
    case ENOTDIR: "something that is not a folder stands in its path. Choose another folder."
    case EISDIR: "a folder stands there. Choose another name."
    case EEXIST, ENOTEMPTY: "the name is taken. Choose another name, or ask to replace it."
    case ELOOP: "a symbolic link stands there, and it is not followed. Remove the link."
    case ENXIO: "something that is not a file stands there. Choose another name."
    case ENAMETOOLONG: "the name is too long. Choose a shorter one."
    case EINVAL: "the name or the range is not valid. Choose another name."
    case EMFILE, ENFILE: "too many files are open. Run fewer downloads at once."
    case EIO: "the device failed. Check the disk, then run it again."
    case EPIPE, ECONNRESET: "nobody reads from it any more."
    case ECANCELED: "it was stopped."
    case EBADF: "it is not open for that."
    case EBUSY, ETXTBSY, EAGAIN: "another program uses it. Wait for it to end."
    default: "\(Self.text(of: errno)) (error \(errno))."
    }
  }

  private static func text(of number: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    // The call writes at most the size of the array, with a zero at the end.
    guard unsafe strerror_r(number, &bytes, bytes.count) == 0 else { return "it failed" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
