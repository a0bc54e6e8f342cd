"""What every command uses: options, output, the opened workbench, streams, the log."""
