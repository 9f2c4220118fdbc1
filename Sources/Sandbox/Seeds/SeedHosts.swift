import WireFormats

extension Codec {
    /// Additional host names, in lower case.
    static let hosts = FieldCodec<[String]>(
        shape: Codec.texts.shape, expected: nil,
        read: { members, key in
            let hosts: [String]? = try members.decode(ifThere: key)
            guard let hosts else { return nil }
            if !hosts.allSatisfy(isHostName) {
                try members.refuse(key, expecting: "names of hosts, such as files.example.com, without scheme and port")
            }
            return hosts.map { $0.lowercased() }
        },
        write: Codec.texts.write)
}

/// Returns whether a text is a host name with a dot that is not an IP address. IP addresses and single labels address the whole process.
/// (RFC 1123 section 2.1; a host whose last label is a number is an address, URL Standard, "Host parsing".)
private func isHostName(_ text: String) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count >= 2, text.utf8.count <= 253, let last = labels.last, !last.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return false
    }
    return labels.allSatisfy { label in
        (1...63).contains(label.count)
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
