import CBuildCommit

/// The version of the program.
package enum VirgaVersion {
    /// The number of the release.
    package static let number = "0.9.0"

    /// The number and, if it is known, the commit: `0.9.0 (1a2b3c4)`.
    package static var text: String {
        let commit = String(cString: virga_build_commit())
        return commit.isEmpty ? number : "\(number) (\(commit))"
    }
}
