import Directory

extension WebPage {
    /// The style of every page: one column that fits 320 pixels, light and dark, no script and no external resources.
    static let style: HTML = """
        :root{color-scheme:light dark;--ground:#f3f4f1;--card:#fff;--ink:#1f2421;--soft:#58605b;--line:#d4d8d3;--accent:#17616b;--wrong:#a3201d;--wrong-ground:#fdeeed}
        @media (prefers-color-scheme:dark){:root{--ground:#151817;--card:#1f2422;--ink:#eceeec;--soft:#a9b1ac;--line:#3b423f;--wrong:#ffb4ae;--wrong-ground:#43201f}}
        \(accents)
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:grid;align-items:center;justify-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:25rem;background:var(--card);border:1px solid var(--line);border-top:.3rem solid var(--accent);border-radius:.75rem;padding:1.75rem 1.5rem 1.25rem}
        h1{font-size:1.5rem;line-height:1.25;margin:.9rem 0 .35rem;font-weight:600}
        p{margin:.35rem 0;overflow-wrap:anywhere}
        .provider{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:600}
        .mark{flex:none;width:2rem;height:2rem;border-radius:50%;display:grid;place-items:center;background:var(--accent);color:#fff}
        .soft,footer{color:var(--soft)}
        .alert{margin:1rem 0 0;padding:.65rem .8rem;border-radius:.5rem;background:var(--wrong-ground);color:var(--wrong)}
        form{margin-top:1.25rem}
        label{display:block;margin:.9rem 0 .25rem;font-weight:600}
        input,select{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:.5rem;padding:.6rem .7rem}
        button{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:.5rem;padding:.65rem .8rem;margin-top:.6rem;min-height:2.75rem;cursor:pointer}
        button:hover{border-color:var(--ink)}
        button.primary{background:var(--accent);border-color:var(--accent);color:#fff;font-weight:600;margin-top:1.1rem}
        button.primary:hover{filter:brightness(1.12)}
        button.quiet{border-color:transparent;color:var(--soft);text-decoration:underline}
        button.person{text-align:left;overflow-wrap:anywhere}
        button.person small{display:block;color:var(--soft);font-size:.875rem}
        :focus-visible{outline:3px solid var(--ink);outline-offset:2px}
        fieldset{border:0;border-top:1px solid var(--line);margin:1.4rem 0 0;padding:.4rem 0 0}
        legend{padding:0 .6rem 0 0;color:var(--soft)}
        label.choice{font-weight:400}label.choice input{width:auto}
        ul{margin:.9rem 0;padding:0;list-style:none;border-top:1px solid var(--line)}
        li{padding:.6rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
        code{font-family:ui-monospace,monospace;font-size:.875rem;color:var(--soft)}
        footer{margin-top:1.4rem;font-size:.875rem}
        """

    /// The accent colors of identity providers, whose kind is the theme.
    private static var accents: [HTML] {
        IdentityProvider.Kind.allCases.compactMap { kind in
            kind.descriptor.accent.map { accent -> HTML in "body.\(kind.rawValue){--accent:\(accent)}" }
        }
    }
}
