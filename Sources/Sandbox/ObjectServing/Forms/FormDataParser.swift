import NIOCore
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Parses a body of `multipart/form-data` as it arrives. (RFC 7578, RFC 2046 section 5.1.)
///
/// Fields are returned as a whole; their total size with headers must not exceed ``limit``. The content of the part `file` is returned in
/// chunks as it arrives, without copying; everything after it is ignored.
struct FormDataParser {
    enum Event: Equatable {
        case field(name: String, value: String)
        /// The beginning of the file. Name and type are `nil` if the part has none; the name has no path.
        case file(name: String?, type: String?)
        case content(ByteBuffer)
        /// The end of the file.
        case end
    }

    /// The maximum number of bytes before the content of the file.
    static let limit = 20_480

    private enum State {
        case preamble
        /// After a boundary, before the end of its line or the end of the form.
        case boundary
        case headers
        case value(name: String)
        case content
        case contentEnd
        /// After the form, or after the file.
        case end
    }

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var pending = ByteBuffer(string: "\r\n")
    private var consumed = -2
    /// The number of pending bytes in which the pattern that is being read does not begin.
    private var searched = 0

    /// Creates the parser of one body.
    /// - Parameter boundary: 1 to 70 bytes, without leading hyphens.
    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Adds the next buffer of the body.
    mutating func take(_ buffer: ByteBuffer) {
        if case .end = state { return }
        if pending.readableBytes == 0 {
            pending = buffer
        } else {
            pending.writeImmutableBuffer(buffer)
        }
    }

    /// Returns the next event; `nil` if more of the body is required, or after the end.
    /// - Throws: ``FormDataError/malformed``, ``FormDataError/fieldsTooLong(limit:)``.
    mutating func next() throws(FormDataError) -> Event? {
        while true {
            switch state {
            case .preamble:
                guard try read(through: delimiter) != nil else { return nil }
                state = .boundary
            case .boundary:
                guard pending.readableBytes >= 2 else { return nil }
                if pending.readableBytesView.starts(with: "--".utf8) {
                    state = .end
                    continue
                }
                guard let padding = try read(through: Self.lineEnd) else { return nil }
                guard padding.readableBytesView.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { throw .malformed }
                state = .headers
            case .headers:
                if let event = try readHeaders() { return event }
                guard case .value = state else { return nil }
            case .value(let name):
                guard let value = try read(through: delimiter) else { return nil }
                state = .boundary
                return .field(name: name, value: String(decoding: value.readableBytesView, as: UTF8.self))
            case .content: return readContent()
            case .contentEnd: return endOfContent()
            case .end: return nil
            }
        }
    }

    /// Checks that the body is complete.
    /// - Throws: ``FormDataError/malformed`` if the form has not ended.
    func finish() throws(FormDataError) {
        guard case .end = state else { throw .malformed }
    }

    /// Reads the headers of a part, which may be empty.
    /// - Returns: the event for the file; for a field, its name is kept in the state.
    private mutating func readHeaders() throws(FormDataError) -> Event? {
        var headers = ByteBuffer()
        if pending.readableBytesView.starts(with: Self.lineEnd) {
            _ = try read(through: Self.lineEnd)
        } else {
            guard let found = try read(through: Self.lineEnd + Self.lineEnd) else { return nil }
            headers = found
        }
        guard let disposition = FormDataDisposition(headers: String(decoding: headers.readableBytesView, as: UTF8.self)) else {
            throw .malformed
        }
        guard disposition.name.lowercased() == "file" else {
            state = .value(name: disposition.name)
            return nil
        }
        state = .content
        return .file(name: disposition.filename, type: disposition.contentType)
    }

    private mutating func readContent() -> Event? {
        let count = pending.readableBytes
        let (start, isWhole) = pending.withUnsafeReadableBytes { Self.search($0, for: delimiter) }
        if isWhole { state = .contentEnd }
        if start == 0 { return isWhole ? endOfContent() : nil }
        guard let content = pending.readSlice(length: start) else { return nil }
        if start == count { pending = ByteBuffer() }
        return .content(content)
    }

    private mutating func endOfContent() -> Event {
        state = .end
        pending = ByteBuffer()
        return .end
    }

    /// Reads the bytes before the next occurrence of a pattern, and skips the pattern; `nil` if it has not arrived yet.
    private mutating func read(through pattern: [UInt8]) throws(FormDataError) -> ByteBuffer? {
        let (start, isWhole) = pending.withUnsafeReadableBytes { Self.search($0, for: pattern, from: searched) }
        searched = start
        guard consumed + start <= Self.limit else {
            throw .fieldsTooLong(limit: Self.limit)
        }
        guard isWhole, let found = pending.readSlice(length: start) else { return nil }
        pending.moveReaderIndex(forwardBy: pattern.count)
        consumed += start + pattern.count
        searched = 0
        return found
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Finds a pattern that begins with a carriage return. Returns the position of the pattern, of its beginning at the end of the bytes,
    /// or of their end.
    private static func search(
        _ bytes: UnsafeRawBufferPointer, for pattern: [UInt8], from place: Int = 0
    ) -> (start: Int, isWhole: Bool) {
        guard let base = bytes.baseAddress else { return (0, false) }
        var start = place
        while start < bytes.count, let found = memchr(base + start, 0x0D, bytes.count - start) {
            start = UnsafeRawPointer(found) - base
            let length = min(pattern.count, bytes.count - start)
            if memcmp(base + start, pattern, length) == 0 { return (start, length == pattern.count) }
            start += 1
        }
        return (bytes.count, false)
    }
}
