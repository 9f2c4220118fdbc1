import ArgumentParser
import VirgaCommand

@main
struct Virga {
    static func main() async {
        await VirgaCommand.main()
    }
}
