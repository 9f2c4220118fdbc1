"""Completions of the command line in shells."""

import subprocess

import pytest

from cloud import run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell):
    script = run("--generate-completion-script", shell)
    assert script.returncode == 0 and "healthcheck" in script.stdout


@pytest.mark.parametrize("words, offered", [(["virga", "se"], "serve"), (["virga", "serve", "--por"], "--port"), (["virga", "ex"], "explain")])
def test_bash_completes(tmp_path, words, offered):
    script = tmp_path / "virga.bash"
    script.write_text(run("--generate-completion-script", "bash").stdout)
    line = " ".join(words)
    program = f'''
        shopt -s extglob
        source {script}
        COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE="{line}"; COMP_POINT={len(line)}; COMP_TYPE=9; COMP_KEY=9
        function=$(complete -p virga); function=${{function#*-F }}; function=${{function%% *}}
        $function virga {words[-1]} {words[-2]}
        printf "%s\\n" "${{COMPREPLY[@]}}"'''
    result = subprocess.run(["bash", "-c", program], text=True, capture_output=True)
    assert offered in [word.strip() for word in result.stdout.splitlines()], result.stderr
