import Cloud
public import FoundationEssentials
import VirgaServer
import WireFormats

extension RunningCloud {
    /// The time of a cloud: tokens, credentials and objects get their dates from it.
    ///
    /// A change returns when the next second of real time has begun, so that what is issued later does not count as issued before it.
    public struct Clock: Sendable {
        /// How the time of a cloud runs.
        public enum Mode: Sendable, Equatable {
            /// It is real time.
            case running
            /// It stands still.
            case frozen
            /// It runs, and differs from real time.
            case set
        }

        let cloud: RunningCloud

        /// The present time of the cloud.
        public var now: Date {
            get async throws {
                try await cloud.withSandbox { sandbox in
                    Date(timeIntervalSince1970: Double(sandbox.clock.now.milliseconds) / 1000)
                }
            }
        }

        /// How the time of the cloud runs.
        public var mode: Mode {
            get async throws {
                try await cloud.withSandbox { sandbox in
                    switch sandbox.clock.mode {
                    case .running: .running
                    case .frozen: .frozen
                    case .ahead: .set
                    }
                }
            }
        }

        /// Stops time, now.
        /// - Throws: ``CloudError``.
        public func freeze() async throws { try await apply(.frozen) }

        /// Stops time at a date.
        /// - Throws: ``CloudError`` if the date is not from 1970 to 9999.
        public func freeze(at date: Date) async throws { try await apply(.frozen(date)) }

        /// Stops time at a date in ISO 8601, such as `2026-01-01T00:00:00Z`.
        /// - Throws: ``CloudError`` if the text is not a date from 1970 to 9999.
        public func freeze(at date: String) async throws { try await apply(.frozen(date)) }

        /// Continues from a date.
        /// - Throws: ``CloudError`` if the date is not from 1970 to 9999.
        public func set(to date: Date) async throws { try await apply(.set(date)) }

        /// Continues from a date in ISO 8601, such as `2026-01-01T00:00:00Z`.
        /// - Throws: ``CloudError`` if the text is not a date from 1970 to 9999.
        public func set(to date: String) async throws { try await apply(.set(date)) }

        /// Makes everything that was issued so far older by a duration, so that credentials expire. No client's clock changes.
        /// - Parameter duration: whole seconds, from one second to a hundred years.
        /// - Throws: ``CloudError`` for another duration.
        public func age(_ duration: Duration) async throws { try await apply(.aged(duration)) }

        /// Returns to real time.
        /// - Throws: ``CloudError``.
        public func resume() async throws { try await apply(.resumed) }

        /// Applies a change.
        /// - Throws: ``CloudError`` if a date or a duration is not valid.
        public func apply(_ setting: ClockSetting) async throws {
            try await cloud.withSandbox { sandbox in
                switch setting.change {
                case .freeze(let moment):
                    try await sandbox.change(clock: .freeze(at: try moment.map { moment throws(CloudError) in try moment.timestamp() }))
                case .set(let moment): try await sandbox.change(clock: .set(try moment.timestamp()))
                case .resume: try await sandbox.change(clock: .resume)
                case .age(let duration):
                    guard ClockChange.isAging(duration) else {
                        throw CloudError(
                            .invalidArgument, "\(duration) is not an aging. Use whole seconds, from one second to a hundred years.")
                    }
                    try await sandbox.age(by: duration)
                }
            }
            try await CloudError.translating { try await cloud.registry.performDueWork(of: cloud.name) }
        }
    }
}
