package import WireFormats

/// The text formats that access logs of S3 and OSS share.
package enum LogText {
    /// Returns a time such as `06/Feb/2019:00:00:38`.
    package static func time(_ time: Timestamp) -> String {
        let parts = time.httpDate.split(separator: " ")
        guard parts.count == 6 else { return time.iso8601 }
        return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4])"
    }

    /// Returns a text from the client in quotes, without characters that end the quotes or the line; `"-"` for `nil`.
    package static func quoted(_ text: String?) -> String {
        var quoted = "\""
        for scalar in (text ?? "-").unicodeScalars {
            switch scalar {
            case "\"": quoted += "%22"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
