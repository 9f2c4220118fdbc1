import ArgumentParser
import WireFormats

/// The flags and variables with the control token, for the server and its clients.
struct ControlTokenArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control token: the server requires it for every call of the control API, and a client sends it. Other users of the machine see "
                + "it in the list of processes. [VIRGA_CONTROL_TOKEN]", valueName: "token"))
    var controlToken: String?

    @Option(
        help: ArgumentHelp(
            "File with the control token, without the last end of a line. [VIRGA_CONTROL_TOKEN_FILE]", valueName: "file"))
    var controlTokenFile: String?

    /// Returns the token; `nil` if there is none. A flag wins over both variables.
    /// - Throws: `ValidationError` if two places have a token or if it is empty, `Failure` if the file has none.
    func read() throws -> String? {
        if controlToken != nil, controlTokenFile != nil {
            throw ValidationError("--control-token and --control-token-file cannot be combined. Pass one of them.")
        }
        if controlToken == "" { throw ValidationError("--control-token must not be empty.") }
        if controlTokenFile == "" { throw ValidationError("--control-token-file must not be empty.") }
        if let controlToken { return controlToken }
        if let controlTokenFile { return try Self.contents(of: controlTokenFile, named: "--control-token-file") }
        let (token, file) = (Variables.value("CONTROL_TOKEN"), Variables.value("CONTROL_TOKEN_FILE"))
        guard let file else { return token }
        guard token == nil else {
            throw ValidationError("VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them.")
        }
        return try Self.contents(of: file, named: "VIRGA_CONTROL_TOKEN_FILE")
    }

    /// The most bytes of a file with a token. No header can have a longer one.
    private static let longest = 64 << 10

    private static func contents(of path: String, named name: String) throws -> String {
        try reportingFailure {
            func failure(_ reason: String) -> Failure {
                Failure(description: "cannot use the control token of \(name): \(path.visible) \(reason)")
            }
            guard let bytes = try Input.contents(of: path, limit: longest) else {
                throw failure("does not exist; write the token into this file, or name another one")
            }
            guard let token = token(in: bytes) else { throw failure("is not UTF-8; write the token into it as text") }
            if token.isEmpty { throw failure("is empty; write the token into it") }
            // A header cannot have such a value.
            guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), token.utf8.first != 0x20, token.utf8.last != 0x20 else {
                throw failure("has more than the token; it must have one line, without spaces around it and without control characters")
            }
            return token
        }
    }

    /// Returns the text of a file without its byte order mark and its last end of a line; `nil` if it is not UTF-8.
    static func token(in bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
