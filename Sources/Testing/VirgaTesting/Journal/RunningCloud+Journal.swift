import Cloud

extension RunningCloud {
    /// What clients requested from a cloud, and how it was decided. Calls of the control API do not count.
    public struct Journal: Sendable {
        let cloud: RunningCloud

        /// The requests, the oldest first. A journal that is full has dropped the oldest ones.
        public var entries: [Entry] {
            get async throws { try await excerpt().entries.map { Entry(entry: $0) } }
        }

        /// The requests that were refused: by a policy, or because of their signature, token or login. The oldest first.
        public var refusals: [Entry] {
            get async throws { try await entries.filter(\.isRefused) }
        }

        /// Removes every request, so that expectations are about later ones.
        /// - Throws: ``CloudError``.
        public func clear() async throws { try await cloud.withSandbox { $0.journal.removeAll() } }

        /// Checks that a caller made a request.
        ///
        /// ```swift
        /// try await cloud.journal.expect(.role("app"), did: "s3:PutObject", on: "arn:aws:s3:::box/*", times: 1)
        /// ```
        /// In patterns, `*` matches any characters and `?` matches one.
        /// - Parameters:
        ///   - caller: the caller.
        ///   - action: a pattern for the action that policies decided, or for the operation, with or without its service.
        ///   - resource: a pattern for the ARN of the resource, or for the path.
        ///   - status: the HTTP status code.
        ///   - times: how many requests match.
        /// - Throws: ``UnmetExpectation`` with the closest requests, or ``CloudError`` if the journal has dropped requests that could matter.
        public func expect(
            _ caller: Caller = .anyone, did action: String? = nil, on resource: String? = nil, status: Int? = nil,
            times: Times = .atLeast(1)
        ) async throws {
            var texts: [CallPattern.Member: String] = [:]
            texts[.caller] = caller.pattern
            texts[.action] = action
            texts[.resource] = resource
            texts[.status] = status.map { String($0) }
            let expectation = JournalExpectation(pattern: CallPattern(texts), min: times.min, max: times.max)
            let excerpt = try await excerpt()
            let outcome = expectation.outcome(among: excerpt.entries)
            // Requests that were dropped can add to the count.
            if !excerpt.isComplete, outcome.count <= times.max ?? -1 || outcome.count < times.min {
                throw CloudError(
                    .incompleteJournal,
                    "The journal has dropped old requests, so '\(expectation.description)' cannot be checked. Call journal.clear() before the requests that matter."
                )
            }
            guard outcome.isMet else { throw UnmetExpectation(expectation, outcome) }
        }

        /// Checks that a caller made no request.
        /// - Parameters:
        ///   - caller: the caller.
        ///   - action: a pattern for the action, or for the operation.
        ///   - resource: a pattern for the ARN of the resource, or for the path.
        ///   - status: the HTTP status code.
        /// - Throws: ``UnmetExpectation`` with the requests that match.
        public func expectNever(
            _ caller: Caller = .anyone, did action: String? = nil, on resource: String? = nil, status: Int? = nil
        ) async throws {
            try await expect(caller, did: action, on: resource, status: status, times: 0)
        }

        /// Checks that no session of a role made a request.
        /// - Parameters:
        ///   - role: the name of the role, or its ARN.
        ///   - action: a pattern for the action, or for the operation.
        ///   - resource: a pattern for the ARN of the resource, or for the path.
        /// - Throws: ``UnmetExpectation`` with the requests that match.
        public func expectNever(role: String, did action: String? = nil, on resource: String? = nil) async throws {
            try await expectNever(.role(role), did: action, on: resource)
        }

        private func excerpt() async throws -> (entries: [JournalEntry], isComplete: Bool) {
            try await cloud.withSandbox { sandbox in
                let excerpt = sandbox.journal.entries(after: nil)
                return (excerpt.entries.filter { $0.face != "control" }, excerpt.isComplete)
            }
        }
    }
}
