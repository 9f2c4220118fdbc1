/// The style of diagrams: rules of the console's stylesheet, and of files that stand alone.
package enum DiagramStyle {
    /// The rules. The colors are variables of the page.
    package static let rules = """
        svg.pic{display:block;width:100%;height:auto;font:13px system-ui,sans-serif}
        .pic text{fill:currentColor}
        .pic .box{fill:var(--card);stroke:var(--line)}
        .pic .box.on{fill:var(--good-ground);stroke:var(--good)}
        .pic .box.lit{fill:var(--bad-ground);stroke:var(--bad);stroke-width:2.5}
        .pic .box.off{stroke-dasharray:4 4}
        .pic .life{stroke:var(--line);stroke-dasharray:3 4}
        .pic .over{paint-order:stroke;stroke:var(--card);stroke-width:5px;stroke-linejoin:round}
        .pic .back{fill:var(--card)}
        .pic a text.name{fill:var(--link)}
        .pic a:hover text.name{text-decoration:underline}
        .pic .mono{font-family:ui-monospace,Menlo,Consolas,monospace}

        """

    /// The colors and classes of the console's stylesheet that diagrams use, for a file.
    private static let page = """
        :root{color-scheme:light dark;--card:#fff;--ink:#1f2421;--soft:#545c57;--line:#d4d8d3;--link:#0f5660;--good:#176032;--bad:#a3201d;\
        --bad-ground:#fdeeed;--good-ground:#e8f5ec;--warn:#7a4a00}
        @media (prefers-color-scheme:dark){:root{--card:#1f2422;--ink:#eceeec;--soft:#aeb6b1;--line:#3b423f;--link:#8fd8e1;--good:#8ddba6;\
        --bad:#ffb4ae;--bad-ground:#43201f;--good-ground:#17331f;--warn:#f2c879}}
        svg{color:var(--ink)}.soft{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}

        """

    /// The style of a file.
    static let file = page + rules
}
