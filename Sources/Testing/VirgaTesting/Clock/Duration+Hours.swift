extension Duration {
    /// Returns a duration of minutes.
    public static func minutes(_ count: Int) -> Duration { .seconds(count) * 60 }

    /// Returns a duration of hours.
    public static func hours(_ count: Int) -> Duration { .seconds(count) * 3600 }

    /// Returns a duration of days of 24 hours.
    public static func days(_ count: Int) -> Duration { .seconds(count) * 86_400 }
}
